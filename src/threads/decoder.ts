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

const TAKEN = Symbol("taken");

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
      const [step, task, path, index, channel, shape, count] = numbers.subarray(at, at + 7) as unknown as [number, number, number, number, number, number, number];
      const value = await this.value({ shape, pieces: numbers.subarray(at + 7, (at += 7 + 3 * count)) });
      (steps[step] ??= []).push({ task: names[task]!, path: names[path]!, index, channel: names[channel]!, value });
    }
    return Array.from(steps, (step: DecodedWrite[] | undefined = []) => inOrder(step));
  }

  async #decode({ pieces }: StoredValue, shape: number): Promise<unknown> {
    const items: unknown[] = [];
    for (let at = 0; at < pieces.length; at += 3) {
      const [run, first, count] = [pieces[at]!, pieces[at + 1]!, pieces[at + 2]!];
      for (let index = first; index < first + count; index++) {
        const ready = this.#readyAt(run, index) ?? (await this.#decodeFrom(run, index, shape));
        items.push(ready.items[index - ready.from]);
        ready.items[index - ready.from] = TAKEN;
      }
    }
    return this.#codec.assemble(shape, items);
  }

  #readyAt(run: number, index: number): Ready | undefined {
    const ready = this.#ready[run];
    if (ready === undefined || index < ready.from || index >= ready.from + ready.items.length) return undefined;
    return ready.items[index - ready.from] === TAKEN ? undefined : ready;
  }

  /** Decodes an element, and some that follow it, which are mostly wanted next. */
  async #decodeFrom(run: number, index: number, shape: number): Promise<Ready> {
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
    return (this.#ready[run] = { from: index, items });
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
