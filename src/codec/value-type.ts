import { InvalidConfigError } from "../errors/index.ts";

/**
 * How to store the instances of a class. An application registers its own with the `types` option; LangChain's and
 * LangGraph's are registered already. `name` is what is written to disk: keep it the same across releases. Taken are
 * `message`, `snapshot`, `send`, `command`, `overwrite` and `document`.
 *
 * @example
 * ```ts
 * const money: ValueType<Money, { cents: number }> = {
 *   name: "money",
 *   is: (value) => value instanceof Money,
 *   encode: (value) => ({ cents: value.cents }),
 *   decode: ({ cents }) => new Money(cents),
 * };
 * ```
 */
export interface ValueType<T extends object = object, Fields = unknown> {
  /** What it is called on disk. */
  readonly name: string;
  /** Asked about instances of classes only, never about plain data. */
  is(value: object): value is T;
  /** The instance as a value that can be stored: plain data, built-ins, other registered types. */
  encode(value: T): Fields;
  /** The fields with their names, to tell in an error where in the instance something is. Needed if `encode` has none. */
  named?(value: T): object;
  /** The reverse of `encode`. */
  decode(fields: Fields): T;
}

/** What to do with instances that no type is for, and with names that no type has. */
export interface OtherTypes {
  of(value: object): ValueType | undefined;
  named(name: string): ValueType | undefined;
}

/** Types by what they are called on disk. Earlier ones are asked first. */
export class ValueTypes {
  readonly #types: readonly ValueType[];
  readonly #byName: ReadonlyMap<string, ValueType>;
  readonly #others: OtherTypes | undefined;

  constructor(types: readonly ValueType[], others?: OtherTypes) {
    const methods = ["is", "encode", "decode"] as const;
    if (!types.every((type) => typeof type.name === "string" && methods.every((method) => typeof type[method] === "function"))) {
      throw new InvalidConfigError({ field: "types", hint: "Each has a name, and the functions is, encode and decode." });
    }
    this.#types = types;
    this.#others = others;
    this.#byName = new Map(types.map((type) => [type.name, type]));
    if (this.#byName.size < types.length) {
      throw new InvalidConfigError({ field: "types", hint: "Each type needs a name of its own, and not one of the built-in ones." });
    }
  }

  of(value: object): ValueType | undefined {
    return this.#types.find((type) => type.is(value)) ?? this.#others?.of(value);
  }

  named(name: string): ValueType | undefined {
    return this.#byName.get(name) ?? this.#others?.named(name);
  }
}
