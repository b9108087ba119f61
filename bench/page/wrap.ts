/** Has every call of a prototype's method seen, after it was made, with what it returned. */
export function wrap<T extends object>(
  prototype: T,
  method: keyof T & string,
  seen: (self: T, args: readonly unknown[], returned: unknown) => void,
): void {
  const original: unknown = prototype[method];
  if (typeof original !== "function") throw new TypeError(`${method} is not a method`);
  Object.defineProperty(prototype, method, {
    configurable: true,
    value(this: T, ...args: unknown[]): unknown {
      const returned: unknown = original.apply(this, args);
      seen(this, args, returned);
      return returned;
    },
  });
}
