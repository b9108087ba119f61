/** At most one call runs and one waits; every caller gets a result that was begun after it asked. */
export function coalesced<Result>(act: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  const begin = (): Promise<Result> => {
    const begun = act().finally(() => {
      if (current === begun) current = undefined;
    });
    current = begun;
    return begun;
  };
  return () => {
    if (current === undefined) return begin();
    next ??= current.then(ignore, ignore).then(() => {
      next = undefined;
      return begin();
    });
    return next;
  };
}

const ignore = (): void => undefined;
