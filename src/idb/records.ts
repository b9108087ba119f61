import { type Row, pages } from "./pages.ts";
import type { ContentKey, ContentPartKey, Reading, Sealed } from "./schema.ts";

/**
 * Engines refuse records above about 133 MB, and have one in memory several times. So a long row of content is several records: one of
 * exactly this length goes on in the one behind it, whose key is the same and the number of the part after it.
 */
const RECORD_BYTES = 16 * 1024 * 1024;

/** The most records to a page, and to the first one: the largest may all be in it. */
const PAGE = 256;
const FIRST_PAGE = 8;

type ContentRecord = Row<"content">;

export interface ContentRow {
  readonly key: ContentKey;
  readonly value: Sealed;
}

/** What of a row of content is put under which key. */
export function recordsOf(row: Sealed, key: ContentKey): [record: Sealed, key: ContentKey | ContentPartKey][] {
  const records: ReturnType<typeof recordsOf> = [[row.length < RECORD_BYTES ? row : row.slice(0, RECORD_BYTES), key]];
  for (let part = 1; part * RECORD_BYTES <= row.length; part++) {
    records.push([row.slice(part * RECORD_BYTES, (part + 1) * RECORD_BYTES), [...key, part]]);
  }
  return records;
}

export const goesOn = (record: unknown): boolean => record instanceof Uint8Array && record.length === RECORD_BYTES;

/** The rows of content of a range, each whole. */
export async function* contentPages(tx: Reading, range: IDBKeyRange): AsyncGenerator<ContentRow[]> {
  let parts: ContentRecord[] = [];
  for await (const page of pages(tx, "content", range, PAGE, FIRST_PAGE)) {
    const rows: ContentRow[] = [];
    for (const record of page) {
      if (parts.length > 0 && record.key[5] !== parts.length) rows.push(whole(parts.splice(0)));
      parts.push(record);
      if (!goesOn(record.value)) rows.push(whole(parts.splice(0)));
    }
    yield rows;
  }
  if (parts.length > 0) yield [whole(parts)];
}

export async function contentRows(tx: Reading, range: IDBKeyRange): Promise<ContentRow[]> {
  const rows: ContentRow[] = [];
  for await (const page of contentPages(tx, range)) rows.push(...page);
  return rows;
}

function whole(parts: readonly ContentRecord[]): ContentRow {
  const [first] = parts as readonly [ContentRow];
  if (parts.length === 1 || parts.some(({ value }) => !((value as unknown) instanceof Uint8Array))) return first;
  const value = new Uint8Array(parts.reduce((size, part) => size + part.value.length, 0));
  let at = 0;
  for (const part of parts) {
    value.set(part.value, at);
    at += part.value.length;
  }
  return { key: first.key, value };
}
