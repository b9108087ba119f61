import { BlockReader } from "./blocks.ts";
import { FieldReader, Malformed } from "./fields.ts";
import { type ArchivedValue, type ArchiveRecord, type Counts, unpackRecord } from "./records.ts";

/**
 * Reads a file that comes in parts. A record is given only once its block's checksum was right; that the file is all there is known at
 * its end.
 */
export class ArchiveReader {
  readonly #blocks = new BlockReader();
  readonly #rules = new Rules();

  /**
   * The records of the blocks that are complete with these bytes, block by block.
   *
   * @throws DamagedFileError for bytes that are not those that were written
   * @throws UnsupportedFileError for a later format, and for what is no such file
   */
  async *take(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<readonly ArchiveRecord[]> {
    for await (const block of this.#blocks.take(bytes)) yield this.#records(block);
  }

  /** @throws DamagedFileError if that was not the whole file */
  end(): void {
    this.#blocks.end();
    if (!this.#rules.isOver) throw this.#blocks.damaged("it ends without its last record");
  }

  #records(block: Uint8Array<ArrayBuffer>): ArchiveRecord[] {
    const records: ArchiveRecord[] = [];
    const from = new FieldReader(block);
    try {
      while (!from.isAtEnd) {
        const record = unpackRecord(from);
        this.#rules.check(record);
        records.push(record);
      }
    } catch (error) {
      throw error instanceof Malformed ? this.#blocks.damaged(error.message, error) : error;
    }
    return records;
  }
}

/** What may follow what, and refer to what. */
class Rules {
  readonly #count: Counts = { threads: 0, checkpoints: 0, writes: 0, pasts: 0, elements: 0 };
  readonly #threads = new Set<string>();
  readonly #namespaces = new Set<string>();
  /** Of the namespace, how many elements each channel has so far. */
  readonly #elements = new Map<string, number>();
  /** The last checkpoint, if records of its past may follow. */
  #withPast: string | undefined;
  #isBegun = false;
  isOver = false;

  check(record: ArchiveRecord): void {
    if (this.isOver) throw new Malformed("something follows the last record");
    if (this.#isBegun !== (record.kind !== "file")) throw new Malformed("the first record, and no other, is about the file");
    this.#isBegun = true;
    switch (record.kind) {
      case "file":
        return;
      case "thread":
        if (this.#threads.has(record.id)) throw new Malformed("a thread is there twice");
        this.#threads.add(record.id);
        this.#namespaces.clear();
        this.#withPast = undefined;
        this.#count.threads++;
        return;
      case "namespace":
        if (this.#threads.size === 0) throw new Malformed("a namespace is of no thread");
        if (this.#namespaces.has(record.name)) throw new Malformed("a namespace is there twice");
        this.#namespaces.add(record.name);
        this.#elements.clear();
        this.#withPast = undefined;
        return;
      case "elements":
        this.#requireNamespace();
        this.#elements.set(record.channel, (this.#elements.get(record.channel) ?? 0) + record.elements.length);
        this.#count.elements += record.elements.length;
        return;
      case "checkpoint":
        this.#requireNamespace();
        for (const { name, value } of record.channels) this.#requireElements(name, value);
        if (new Set(record.channels.map(({ name }) => name)).size < record.channels.length) throw new Malformed("a checkpoint has a channel twice");
        this.#withPast = record.hasPast === true ? record.id : undefined;
        this.#count.checkpoints++;
        return;
      case "writes":
        this.#requireNamespace();
        for (const { channel, value } of record.writes) this.#requireElements(channel, value);
        if (new Set(record.writes.map(({ index }) => index)).size < record.writes.length) throw new Malformed("a task has a write twice");
        this.#count.writes++;
        return;
      case "past":
        if (record.checkpoint !== this.#withPast) throw new Malformed("a past is not of the checkpoint before it");
        for (const { channel, value } of record.seeds) this.#requireElements(channel, value);
        for (const { writes } of record.steps.flat()) for (const { channel, value } of writes) this.#requireElements(channel, value);
        this.#count.pasts++;
        return;
      case "end":
        if (Object.entries(this.#count).some(([what, count]) => record[what as keyof Counts] !== count)) throw new Malformed("something is missing");
        this.isOver = true;
        return;
    }
  }

  #requireNamespace(): void {
    if (this.#namespaces.size === 0) throw new Malformed("a record is of no namespace");
  }

  #requireElements(channel: string, value: ArchivedValue | undefined): void {
    if (value === undefined || !("pieces" in value)) return;
    const count = this.#elements.get(channel) ?? 0;
    for (let at = 0; at < value.pieces.length; at += 2) {
      if (value.pieces[at]! + value.pieces[at + 1]! > count) throw new Malformed("a value refers to elements that have not come");
    }
  }
}
