import { WorkerStartError } from "../errors/index.ts";
import type { Codec, SnapshotType, ValueCodec } from "./codec.ts";
import type { ElementBytes, Encoded } from "./encoded.ts";
import { Lowering } from "./lower.ts";
import { raise } from "./raise.ts";
import { type ValueType, ValueTypes } from "./value-type.ts";

/**
 * The codec, whose code is loaded when it is needed: so that a page that begins to show has less to load. What is given
 * to encode before it is there is copied at once, and encoded when it is.
 */
export class LateCodec implements ValueCodec {
  readonly #types: readonly ValueType[];
  readonly #snapshots: SnapshotType;
  #loaded: Codec | undefined;
  #loading: Promise<Codec> | undefined;

  /** @throws InvalidConfigError for types that are not usable */
  constructor(types: readonly ValueType[], snapshots: SnapshotType) {
    new ValueTypes(types);
    this.#types = types;
    this.#snapshots = snapshots;
  }

  encode(value: unknown, path: string): Encoded | Promise<Encoded> {
    if (this.#loaded !== undefined) return this.#loaded.encode(value, path);
    const types = new ValueTypes(this.#types);
    const { tree, marked } = new Lowering(types, path).lower(value);
    const copy: unknown = structuredClone(tree);
    return this.load().then((codec) => codec.encode(marked ? raise(copy, types) : copy, path));
  }

  decode(elements: ElementBytes, from: number, to: number, shape: number): unknown[] | Promise<unknown[]> {
    return this.#loaded === undefined ? this.load().then((codec) => codec.decode(elements, from, to, shape)) : this.#loaded.decode(elements, from, to, shape);
  }

  assemble(shape: number, items: unknown[]): unknown {
    return this.#loaded === undefined ? this.load().then((codec) => codec.assemble(shape, items)) : this.#loaded.assemble(shape, items);
  }

  /** Begins to load it, if nobody did yet. */
  load(): Promise<Codec> {
    this.#loading ??= import("./codec.ts").then(
      (module) => (this.#loaded = new module.Codec(this.#types, this.#snapshots)),
      (cause: unknown) => {
        this.#loading = undefined;
        throw new WorkerStartError({ reason: "the code of the codec could not be loaded" }, { cause });
      },
    );
    return this.#loading;
  }
}
