const KEY = "__overwrite__";

/**
 * A write that replaces a channel's value instead of being reduced into it. Of a step at most one, and then it is all
 * that the step does to the channel; in a replay the last one is where it begins. LangGraph's `Overwrite` is understood too, and
 * it understands this one.
 */
export class Overwrite<Value = unknown> {
  /** What LangGraph tells it by. */
  readonly lg_name = "Overwrite";
  readonly [KEY]: Value;

  constructor(value: Value) {
    this[KEY] = value;
  }

  get value(): Value {
    return this[KEY];
  }

  toJSON(): object {
    return { [KEY]: this[KEY] };
  }
}

/** The value inside, of this class, of LangGraph's, or of either after it was JSON. */
export function overwriteOf(write: unknown): { readonly value: unknown } | undefined {
  if (typeof write !== "object" || write === null) return undefined;
  if (KEY in write) return { value: write[KEY] };
  return "type" in write && write.type === KEY && "value" in write ? { value: write.value } : undefined;
}
