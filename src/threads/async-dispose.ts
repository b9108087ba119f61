/** Safari has no `Symbol.asyncDispose` yet. What `await using` is compiled to takes this in its place. */
export const asyncDispose: typeof Symbol.asyncDispose = (Symbol as Partial<SymbolConstructor>).asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as typeof Symbol.asyncDispose);
