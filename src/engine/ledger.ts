import { put, remove, type RowStore, type Writing } from "../idb/index.ts";

/** Puts and removes rows, and counts what that gives back; without a transaction it only counts. */
export class Ledger {
  readonly #tx: Writing | undefined;
  /** How many bytes the rows are less. */
  bytes = 0;

  constructor(tx: Writing | undefined) {
    this.#tx = tx;
  }

  /** @param bytes what the row takes, less what one in its place took */
  put<S extends RowStore>(store: S, value: Parameters<typeof put<S>>[2], key: Parameters<typeof put<S>>[3], bytes: number): void {
    this.bytes -= bytes;
    if (this.#tx !== undefined) put(this.#tx, store, value, key);
  }

  /** @param bytes what the rows took */
  remove<S extends RowStore>(store: S, keys: Parameters<typeof remove<S>>[2], bytes: number): void {
    this.bytes += bytes;
    if (this.#tx !== undefined) remove(this.#tx, store, keys);
  }
}
