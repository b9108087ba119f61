import type { ErrorEnvelope } from "../errors/index.ts";
import type { Engine } from "../engine/index.ts";

/** What an engine can be asked; `close` ends the use of one database. */
export const METHODS = Object.keys({
  put: true,
  putWrites: true,
  deleteThread: true,
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
  repair: true,
  suspend: true,
  close: true,
} satisfies Record<keyof Engine, true>) as (keyof Engine)[];

/** Structured clone keeps neither the class nor the fields of an error: it travels as data. */
export type Answer = ({ readonly value: unknown } | { readonly error: ErrorEnvelope }) & {
  /** Which database it is about, to be known again by the next worker if this one ends. Absent as long as it was not opened. */
  readonly generation?: string;
};

/** What a worker exposes. */
export interface Host {
  /** Answered as soon as the worker runs. */
  ready(): true;
  /** @param generation which database that was, if it was used before */
  call(database: string, method: string, request: unknown, generation?: string): Promise<Answer>;
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
