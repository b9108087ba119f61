/** What the driver sends to a page, and what the page answers. */
export type Command = { readonly method: string; readonly args: readonly unknown[] } | { readonly goTo: string } | { readonly wait: true };
export type Answer = { readonly value: unknown } | { readonly error: string };

/**
 * Asks the server for commands, one after another, and posts the answers: plain HTTP, so that a browser which no tool can
 * drive is measured in the same way as the others.
 */
export async function serveMethods(methods: object): Promise<void> {
  const { search } = location;
  const answer = (body: Answer) => fetch(`/answers${search}`, { method: "POST", body: JSON.stringify(body) });
  /** When the server is gone nobody listens, and a failure to say so must not be another to report. */
  const report = (error: string) => void answer({ error }).catch(() => undefined);
  addEventListener("error", ({ message }) => report(message));
  addEventListener("unhandledrejection", ({ reason }) => report(described(reason)));
  for (;;) {
    const command: Command = await (await fetch(`/commands${search}`)).json();
    if ("wait" in command) continue;
    if ("goTo" in command) {
      location.replace(command.goTo);
      return;
    }
    await answer(await run(methods, command));
  }
}

async function run(methods: object, { method, args }: { method: string; args: readonly unknown[] }): Promise<Answer> {
  try {
    const called: unknown = Reflect.get(methods, method);
    if (typeof called !== "function") throw new TypeError(`the page has no method ${method}`);
    return { value: await Reflect.apply(called, undefined, args) };
  } catch (error) {
    return { error: described(error) };
  }
}

function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\ncaused by ${described(error.cause)}`;
  return `${error.name}: ${error.message}\n${error.stack ?? ""}${cause}`;
}
