import { SNAPSHOT } from "../codec/encoded.ts";
import type { ValueCodec } from "../codec/index.ts";
import type { EncodedValue, Run, StoredValue, StoredWrites } from "../engine/index.ts";
import { DamagedError } from "../errors/index.ts";
import { type Head, isHead } from "./head.ts";
import { inOrder } from "./write-order.ts";

/** How long decoding keeps the thread busy at a time, ms. A page has 16 for a frame. */
const SLICE_MS = 6;

/** Elements to one call of the codec, so many or so long. */
const CHUNK = 64;
const CHUNK_BYTES = 64 * 1024;

/** In the place of an item that is not decoded, or was handed out. */
const ABSENT = Symbol("absent");

interface Ready {
  readonly from: number;
  readonly items: unknown[];
}

export interface DecodedWrite {
  readonly task: string;
  readonly path: string;
  readonly index: number;
  readonly channel: string;
  readonly value: unknown;
}

/** Decodes the values of one reply, in slices between which the page can do what else it has to. */
export class Decoder {
  readonly #codec: ValueCodec;
  readonly #runs: readonly Run[];
  /** Of each run, elements that are decoded already. Each is handed out once: a value that is read twice is two values. */
  readonly #ready: Ready[] = [];
  #until = performance.now() + SLICE_MS;

  constructor(codec: ValueCodec, runs: readonly Run[]) {
    this.#codec = codec;
    this.#runs = runs;
  }

  value(value: StoredValue): Promise<unknown> {
    return this.#decode(value, value.shape);
  }

  /** The same, and of a snapshot what is in it. */
  plainValue(value: StoredValue): Promise<unknown> {
    return this.#decode(value, value.shape % SNAPSHOT);
  }

  async head<Metadata = Readonly<Record<string, unknown>>>(bytes: Uint8Array): Promise<Head<Metadata>> {
    const [head] = await this.#codec.decode({ bytes: bytes as Uint8Array<ArrayBuffer>, ends: [bytes.length] }, 0, 1, 0);
    if (!isHead<Metadata>(head)) throw new DamagedError({ store: "checkpoints", key: "a head that is none" });
    return head;
  }

  /** The writes of each step, in the order in which a superstep applies them. */
  async writes({ names, numbers }: StoredWrites): Promise<DecodedWrite[][]> {
    const steps: DecodedWrite[][] = [];
    for (let at = 0; at < numbers.length; ) {
      const [shape, from, to] = [numbers[at + 5]!, at + 7, at + 7 + 3 * numbers[at + 6]!];
      // Most are of one element, and there can be thousands: nobody waits for one that is decoded already.
      const item = to - from === 3 && numbers[from + 2] === 1 ? this.#take(numbers[from]!, numbers[from + 1]!) : ABSENT;
      const value = item === ABSENT ? await this.value({ shape, pieces: numbers.subarray(from, to) }) : this.#codec.assemble(shape, [item]);
      const [task, path, channel] = [names[numbers[at + 1]!]!, names[numbers[at + 2]!]!, names[numbers[at + 4]!]!];
      (steps[numbers[at]!] ??= []).push({ task, path, index: numbers[at + 3]!, channel, value });
      at = to;
    }
    return Array.from(steps, (step: DecodedWrite[] | undefined = []) => inOrder(step));
  }

  async #decode({ pieces }: StoredValue, shape: number): Promise<unknown> {
    const items: unknown[] = [];
    for (let at = 0; at < pieces.length; at += 3) {
      const [run, first, count] = [pieces[at]!, pieces[at + 1]!, pieces[at + 2]!];
      for (let index = first; index < first + count; index++) {
        let item = this.#take(run, index);
        for (; item === ABSENT; item = this.#take(run, index)) await this.#decodeFrom(run, index, shape);
        items.push(item);
      }
    }
    return this.#codec.assemble(shape, items);
  }

  /** An element that is decoded, once. */
  #take(run: number, index: number): unknown {
    const ready = this.#ready[run];
    if (ready === undefined || index < ready.from || index >= ready.from + ready.items.length) return ABSENT;
    const item = ready.items[index - ready.from];
    ready.items[index - ready.from] = ABSENT;
    return item;
  }

  /** Decodes an element, and some that follow it, which are mostly wanted next. */
  async #decodeFrom(run: number, index: number, shape: number): Promise<void> {
    if (performance.now() > this.#until) await this.#rest();
    const elements = this.#runs[run]!;
    const { ends } = elements;
    const start = index === 0 ? 0 : ends[index - 1]!;
    let to = index + 1;
    while (to < ends.length && to - index < CHUNK && ends[to]! - start <= CHUNK_BYTES) to++;
    let items: unknown[];
    try {
      items = await this.#codec.decode(elements, index, to, shape);
    } catch {
      // Whether the one that cannot be read is wanted at all will be seen.
      items = await this.#codec.decode(elements, index, index + 1, shape);
    }
    this.#ready[run] = { from: index, items };
  }

  async #rest(): Promise<void> {
    await nextTask();
    this.#until = performance.now() + SLICE_MS;
  }
}

/** A value that was just encoded. */
export function decodeEncoded(codec: ValueCodec, { shape, bytes, ends }: EncodedValue): Promise<unknown> {
  return new Decoder(codec, [{ bytes, ends: Uint32Array.from(ends) }]).value({ shape, pieces: [0, 0, ends.length] });
}

/** Sooner than a timer, of which browsers hold back the ones that follow each other. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
