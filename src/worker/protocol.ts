import type { ErrorEnvelope } from "../errors/index.ts";
import type { Counts, Engine } from "../engine/index.ts";

/** What an engine can be asked; `close` ends the use of one database. */
export const METHODS = Object.keys({
  put: true,
  putWrites: true,
  deleteThread: true,
  remove: true,
  copyThread: true,
  heads: true,
  tuple: true,
  list: true,
  history: true,
  append: true,
  state: true,
  window: true,
  path: true,
  branches: true,
  threads: true,
  updateThread: true,
  usage: true,
  verify: true,
  beginExport: true,
  export: true,
  beginImport: true,
  import: true,
  finishImport: true,
  endTransfer: true,
  repair: true,
  suspend: true,
  close: true,
} satisfies Record<keyof Engine, true>) as (keyof Engine)[];

/** Structured clone keeps neither the class nor the fields of an error: it travels as data. */
export type Answer = ({ readonly value: unknown; readonly counts?: Counts } | { readonly error: ErrorEnvelope }) & {
  /** Which database it is about, to be known again by the next worker if this one ends. Absent as long as it was not opened. */
  readonly generation?: string;
};

/** Which engine is asked. */
export interface Address {
  readonly database: string;
  /** Of an encrypted database. A clone of a key is another object: the number tells which calls are for the same engine. */
  readonly encryption?: { readonly key: CryptoKey; readonly number: number };
}

/** The same for the same engine. */
export function nameOf({ database, encryption }: Address): string {
  return encryption === undefined ? database : JSON.stringify([database, encryption.number]);
}

/** What comes along with a request. */
export interface Attached {
  /** Whether the answer is to say what it cost. */
  readonly isCounted: boolean;
  /** Which database that was, if it was used before. */
  readonly generation?: string;
}

/** What a worker exposes. */
export interface Host {
  /** Answered as soon as the worker runs. */
  ready(): true;
  call(address: Address, method: string, request: unknown, attached: Attached): Promise<Answer>;
}

/** Smaller buffers are quicker to copy than to hand over. */
const WORTH_TRANSFERRING = 1024;

/** The buffers in a message that are handed over instead of copied. */
export function buffersOf(message: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  collect(message);
  return [...found];

  function collect(part: unknown): void {
    if (typeof part !== "object" || part === null) return;
    if (ArrayBuffer.isView(part)) {
      if (part.byteLength >= WORTH_TRANSFERRING) found.add(part.buffer as ArrayBuffer);
    } else if (Array.isArray(part)) {
      if (typeof part[0] === "object") part.forEach(collect);
    } else {
      Object.values(part).forEach(collect);
    }
  }
}
