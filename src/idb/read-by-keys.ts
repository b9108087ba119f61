import { FIRST_UUID } from "./id-key.ts";
import { ranges } from "./keys.ts";
import type { CheckpointKey, CheckpointRecord, Sealed, WritesKey } from "./schema.ts";

/** Up to here, one request for each is quicker than looking at the keys between them first. */
const FEW = 16;

/** Rows that lie between two wanted ones and are cheaper to read along than to read around. */
const GAP = 8;

/** Rows to one request: a bound on what one answer holds. */
const PAGE = 1024;

interface Rows<K, V> {
  getAllKeys(range: IDBKeyRange): Promise<K[]>;
  getAll(range: IDBKeyRange): Promise<V[]>;
}

/** Reads the rows whose keys start with some keys: many in a few requests, which may read some others along. */
export async function readByKeys<K extends CheckpointKey | WritesKey, V extends CheckpointRecord | Sealed>(
  store: Rows<K, V>,
  wanted: readonly CheckpointKey[],
  take: (key: K, row: V) => void,
): Promise<void> {
  const all = new Set(wanted.map(nameOf));
  const read = async (range: IDBKeyRange) => {
    const [keys, rows] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
    for (const [index, key] of keys.entries()) if (all.has(nameOf(key))) take(key, rows[index]!);
  };
  if (wanted.length <= FEW) {
    await Promise.all(wanted.map((key) => read(ranges.between(key, key))));
    return;
  }
  // UUIDs and other ids lie far apart.
  for (const kind of [wanted.filter(isText), wanted.filter((key) => !isText(key))]) {
    const sorted = kind.toSorted((a, b) => (a[2] < b[2] ? -1 : 1));
    const [first, last] = [sorted.at(0), sorted.at(-1)];
    if (first === undefined || last === undefined) continue;
    const keys = await store.getAllKeys(ranges.between(first, last));
    await Promise.all(stretches(keys, all).map(([from, to]) => read(ranges.between(from, to))));
  }
}

function isText(key: CheckpointKey): boolean {
  return key[2] < FIRST_UUID;
}

/** The part of a key that says which checkpoint it is about. */
function nameOf(key: CheckpointKey | WritesKey): string {
  return key[2];
}

/** The first and last keys of stretches of wanted rows. */
function stretches<K extends CheckpointKey | WritesKey>(keys: readonly K[], wanted: ReadonlySet<string>): [K, K][] {
  const found: { from: number; to: number }[] = [];
  for (const [index, key] of keys.entries()) {
    if (!wanted.has(nameOf(key))) continue;
    const last = found.at(-1);
    if (last !== undefined && index - last.to <= GAP && index - last.from < PAGE) last.to = index;
    else found.push({ from: index, to: index });
  }
  return found.map(({ from, to }) => [keys[from]!, keys[to]!]);
}
