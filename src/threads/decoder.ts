import { SNAPSHOT, type ValueCodec } from "../codec/index.ts";
import type { Run, StoredValue, StoredWrite } from "../engine/index.ts";
import type { Head } from "./head.ts";
import { inOrder } from "./write-order.ts";

export interface DecodedWrite {
  readonly task: string;
  readonly channel: string;
  readonly value: unknown;
}

/** Decodes the values of one reply. */
export class Decoder {
  readonly #codec: ValueCodec;
  readonly #runs: readonly Run[];

  constructor(codec: ValueCodec, runs: readonly Run[]) {
    this.#codec = codec;
    this.#runs = runs;
  }

  value(value: StoredValue): unknown {
    return this.#decode(value, value.shape);
  }

  /** The same, and of a snapshot what is in it. */
  plainValue(value: StoredValue): unknown {
    return this.#decode(value, value.shape % SNAPSHOT);
  }

  async head<Metadata = Readonly<Record<string, unknown>>>(bytes: Uint8Array): Promise<Head<Metadata>> {
    return (await this.#codec.decode(0, [bytes])) as Head<Metadata>;
  }

  /** The writes of one checkpoint, in the order in which a superstep applies them. */
  writes(writes: readonly StoredWrite[]): Promise<DecodedWrite[]> {
    return Promise.all(inOrder(writes).map(async ({ task, channel, value }) => ({ task, channel, value: await this.value(value) })));
  }

  #decode(value: StoredValue, shape: number): unknown {
    return this.#codec.decode(shape, "pieces" in value ? this.#pieces(value.pieces) : elements(value, 0, value.ends.length));
  }

  *#pieces(pieces: readonly number[]): Generator<Uint8Array> {
    for (let at = 0; at < pieces.length; at += 3) {
      yield* elements(this.#runs[pieces[at]!]!, pieces[at + 1]!, pieces[at + 2]!);
    }
  }
}

function* elements(run: Pick<Run, "bytes"> & { readonly ends: ArrayLike<number> }, first: number, count: number): Generator<Uint8Array> {
  for (let index = first; index < first + count; index++) {
    yield run.bytes.subarray(index === 0 ? 0 : run.ends[index - 1], run.ends[index]);
  }
}
