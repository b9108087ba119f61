import { BlockWriter } from "./blocks.ts";
import { FieldWriter } from "./fields.ts";
import { type ArchiveRecord, type Counts, packRecord } from "./records.ts";

/** Unpacked, of most blocks: a record is never parted, and a block ends with the one that makes it so large. */
const BLOCK_BYTES = 1024 * 1024;

/** Makes a file of records, which it counts. */
export class ArchiveWriter {
  readonly #blocks = new BlockWriter();
  readonly #fields = new FieldWriter();
  readonly #count: Counts = { threads: 0, checkpoints: 0, writes: 0, pasts: 0, elements: 0 };

  constructor(written: number) {
    packRecord(this.#fields, { kind: "file", written });
  }

  get threads(): number {
    return this.#count.threads;
  }

  get checkpoints(): number {
    return this.#count.checkpoints;
  }

  /** The bytes for the file, as far as blocks are full. */
  async add(records: readonly ArchiveRecord[]): Promise<Uint8Array<ArrayBuffer>> {
    const blocks: Uint8Array<ArrayBuffer>[] = [];
    for (const record of records) {
      if (record.kind === "thread") this.#count.threads++;
      if (record.kind === "checkpoint") this.#count.checkpoints++;
      if (record.kind === "writes") this.#count.writes++;
      if (record.kind === "past") this.#count.pasts++;
      if (record.kind === "elements") this.#count.elements += record.elements.length;
      packRecord(this.#fields, record);
      if (this.#fields.length >= BLOCK_BYTES) blocks.push(await this.#blocks.block(this.#fields.take()));
    }
    return joined(blocks);
  }

  /** The rest of the file. */
  async end(): Promise<Uint8Array<ArrayBuffer>> {
    packRecord(this.#fields, { kind: "end", ...this.#count });
    return joined([await this.#blocks.block(this.#fields.take()), await this.#blocks.block(new Uint8Array())]);
  }
}

function joined([first, ...others]: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  if (first === undefined || others.length === 0) return first ?? new Uint8Array();
  const all = [first, ...others];
  const whole = new Uint8Array(all.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of all) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
