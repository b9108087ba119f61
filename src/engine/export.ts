import { ArchiveWriter } from "../archive/index.ts";
import { InvalidConfigError } from "../errors/index.ts";
import type { Reading, ThreadId } from "../idb/index.ts";
import { RecordReader } from "./record-reader.ts";
import type { ExportReply } from "./transfer-types.ts";

/** Runs its work in a transaction of its own, once. */
export type ReadOnce = <T>(work: (tx: Reading) => Promise<T>) => Promise<T>;

/** Threads on their way into a file. */
export class Export {
  readonly #read: ReadOnce;
  readonly #records: RecordReader;
  readonly #writer = new ArchiveWriter(Date.now());

  private constructor(read: ReadOnce, threads: readonly ThreadId[]) {
    this.#read = read;
    this.#records = new RecordReader(threads);
  }

  /** @throws InvalidConfigError for a thread that there is not */
  static async begin(read: ReadOnce, threads: readonly ThreadId[] | undefined): Promise<Export> {
    const all = await read((tx) => tx.objectStore("threads").getAllKeys());
    const missing = threads?.find((thread) => !all.includes(thread));
    if (missing !== undefined) throw new InvalidConfigError({ field: "threads", hint: `There is no thread "${missing}".` });
    return new Export(read, threads ?? all);
  }

  /** One transaction, or a few where they give less than a block. */
  async next(): Promise<ExportReply> {
    for (;;) {
      const records = await this.#read((tx) => this.#records.next(tx));
      const isLast = records.length === 0;
      const bytes = isLast ? await this.#writer.end() : await this.#writer.add(records);
      const { threads, checkpoints } = this.#writer;
      if (bytes.length > 0) return { bytes, isLast, threads, checkpoints };
    }
  }
}
