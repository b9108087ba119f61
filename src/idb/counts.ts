import type { Reading } from "./schema.ts";

/** What a read cost, added up as it goes: passed along by whoever wants to know, and nobody counts otherwise. */
export interface Counts {
  /** Requests to IndexedDB. */
  requests: number;
  /** Rows that they gave, and the bytes of these. */
  rows: number;
  bytes: number;
  /** Elements of content that the values are made of, and how many of them were in memory. */
  elements: number;
  remembered: number;
  /** Milliseconds: in the database, waiting for a turn there included. */
  storage: number;
  /** Milliseconds of making values from writes. */
  rebuild: number;
  /** Milliseconds to the worker and back. */
  transfer: number;
}

export function noCounts(): Counts {
  return { requests: 0, rows: 0, bytes: 0, elements: 0, remembered: 0, storage: 0, rebuild: 0, transfer: 0 };
}

export function addCounts(sum: Counts, more: Counts): void {
  for (const name of Object.keys(more) as (keyof Counts)[]) sum[name] += more[name];
}

const counted = new WeakMap<Reading, Counts>();

/** The counts that a transaction adds to, if any. */
export function countsOf(tx: Reading): Counts | undefined {
  return counted.get(tx);
}

/** The same transaction for reading, which adds what is asked of it to `counts`. */
export function counting(tx: Reading, counts: Counts): Reading {
  const view = { objectStore: (name: Parameters<Reading["objectStore"]>[0]) => countingSource(tx.objectStore(name), counts) } as unknown as Reading;
  counted.set(view, counts);
  return view;
}

/** An object store or an index. */
interface Source {
  index?(name: string): Source;
}

function countingSource<S extends object>(source: S, counts: Counts): S {
  return new Proxy(source, {
    get(target, property) {
      if (property === "index") return (name: string) => countingSource((target as Source).index!(name), counts);
      const member: unknown = Reflect.get(target, property);
      if (typeof member !== "function") return member;
      return async (...args: unknown[]): Promise<unknown> => {
        counts.requests++;
        const answer: unknown = await member.apply(target, args);
        if (property === "get" || property === "getAll") count(counts, answer);
        if (property === "openCursor") count(counts, (answer as { readonly value: unknown } | null)?.value);
        return answer;
      };
    },
  });
}

function count(counts: Counts, answer: unknown): void {
  for (const row of Array.isArray(answer) ? answer : [answer]) {
    if (row === undefined) continue;
    counts.rows++;
    counts.bytes += (row instanceof Uint8Array ? row : (row as { readonly body: Uint8Array }).body).length;
  }
}
