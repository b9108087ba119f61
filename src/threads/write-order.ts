interface Write {
  readonly path: string;
  readonly task: string;
  readonly index: number;
}

/** Writes as a superstep applies them: by task path, task and index. */
export function inOrder<W extends Write>(writes: W[]): W[] {
  return writes.sort((a, b) => byCodePoint(a.path, b.path) || byCodePoint(a.task, b.task) || a.index - b.index);
}

/** Strings by code point, as LangGraph orders them: by unit, as `<` does, characters beyond the 16 bits would come too early. */
function byCodePoint(a: string, b: string): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    if (a.charCodeAt(at) !== b.charCodeAt(at)) return a.codePointAt(at)! - b.codePointAt(at)!;
  }
  return a.length - b.length;
}
