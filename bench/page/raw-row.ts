import { Packr } from "msgpackr";
import type { ArrayRow, PlainMessage } from "./array-row.ts";
import { openRaw, readRaw, writeRaw } from "./raw-database.ts";

const packr = new Packr({ useRecords: true });

const unpacked = (bytes: Uint8Array | undefined): PlainMessage[] => (bytes === undefined ? [] : packr.unpack(bytes));
/** A copy: what `pack` returns is a view of a larger buffer. */
const packed = (messages: readonly PlainMessage[]): Uint8Array => Uint8Array.from(packr.pack(messages));

/** The limit on the page: one row of bytes, msgpackr. */
export class RawRow implements ArrayRow {
  readonly #opening = openRaw();

  async write(messages: readonly PlainMessage[]): Promise<void> {
    await writeRaw(await this.#opening, packed(messages));
  }

  async read(): Promise<PlainMessage[]> {
    return unpacked(await readRaw(await this.#opening));
  }

  async close(): Promise<void> {
    (await this.#opening).close();
  }
}

/** The limit through a worker, for reading: what it answers is transferred and unpacked here. */
export class RawWorkerRow implements ArrayRow {
  readonly #worker = new Worker(new URL("./raw-worker.ts", import.meta.url), { type: "module" });

  async write(messages: readonly PlainMessage[]): Promise<void> {
    const database = await openRaw();
    await writeRaw(database, packed(messages));
    database.close();
  }

  async read(): Promise<PlainMessage[]> {
    const answered = new Promise<Uint8Array | undefined>((resolve, reject) => {
      this.#worker.addEventListener("message", ({ data }: MessageEvent<Uint8Array | undefined>) => resolve(data), { once: true });
      this.#worker.addEventListener("error", () => reject(new Error("the raw worker failed")), { once: true });
    });
    this.#worker.postMessage(undefined);
    return unpacked(await answered);
  }

  async close(): Promise<void> {
    this.#worker.terminate();
  }
}
