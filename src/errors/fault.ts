const MARK = Symbol.for("langgraph-checkpoint-indexeddb.error");

/**
 * What every error of this package is. Recognise one by {@link CheckpointError.is} and tell them apart by `code`: both
 * hold across two copies of the package and across the worker boundary, where `instanceof` may not.
 */
export abstract class CheckpointError extends Error {
  /** Stable across releases: the thing to switch on. */
  abstract readonly code: string;

  /** The facts the message was made of, each also a field of the error. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(message: string, facts: object, options?: ErrorOptions) {
    super(message, options);
    this.facts = { ...facts };
    Object.defineProperty(this, MARK, { value: true });
  }

  /** Whether something is an error of this package, from any copy of it. */
  static is(value: unknown): value is CheckpointError {
    return typeof value === "object" && value !== null && MARK in value;
  }
}

/** A class of error: its code, and the sentence that says what happened and what the caller can do. */
export type Fault<Code extends string, Facts extends object> = {
  new (facts: Facts, options?: ErrorOptions): CheckpointError & Readonly<Facts> & { readonly code: Code };
  readonly code: Code;
};

/** Makes an error class whose message is a function of its facts, so that it can be rebuilt from them anywhere. */
export function fault<Code extends string, Facts extends object>(
  name: string,
  code: Code,
  sentence: (facts: Facts) => string,
): Fault<Code, Facts> {
  class Made extends CheckpointError {
    static readonly code = code;
    readonly code = code;

    constructor(facts: Facts, options?: ErrorOptions) {
      super(sentence(facts), facts, options);
      this.name = name;
      Object.assign(this, facts);
    }
  }
  return Made as unknown as Fault<Code, Facts>;
}
