/**
 * Rows of checkpoints are small, and mostly consist of the same words, and of words and numbers that they repeat. So they are
 * stored as what differs: a stretch of bytes that occurred before, in the row or in a text that comes with the format,
 * becomes a mark, its length, and how far back it is as a base-128 number. The mark is the one byte that msgpack never begins a value with;
 * where it occurs otherwise it stands with a length of zero.
 */
const MARK = 0xc1;

/** Shorter stretches are not worth their mark. */
const LEAST = 5;
const MOST = 255;

/** Part of the format on disk: never changed. As msgpack, what is likeliest last. */
const TEXT =
  "__pregel_tasks\xab__interrupt__\xaa__resume__\xa9__error__\xacassistant_id\xa8graph_id\xa6run_id\xa7user_id\xa9thread_id" +
  "\xadcheckpoint_ns\xadcheckpoint_id\xa4fork\xa6update\xa5tools\xa5agent\xa5model\x81\xaebranch:to:tools\xaebranch:to:agent\xaebranch:to:model" +
  "\xa8messages\xb6delta_writes_versioned\xc3\xbdcounters_since_delta_snapshot\x81\xa8messages\x92" +
  "\x84\xa1v\x04\xa1t\xcb\xa4seen\x83\xa9__input__\x80\xa9__start__\x81\xa9__start__\xcb" +
  "\xa8metadata\x83\xa6source\xa5input\xa6source\xa4loop\xa4step\x00\xa7parents\x80";

const BEFORE = Uint8Array.from(TEXT, (character) => character.charCodeAt(0));

/** Where each three bytes occur last. */
const PLACES = new Map<number, number>();
for (let at = 0; at + 2 < BEFORE.length; at++) PLACES.set(three(BEFORE, at), at);

export function squeeze(row: Uint8Array): Uint8Array {
  const all = new Uint8Array(BEFORE.length + row.length);
  all.set(BEFORE);
  all.set(row, BEFORE.length);
  const places = new Map<number, number>();
  const squeezed = new Uint8Array(2 * row.length);
  let length = 0;
  for (let at = BEFORE.length; at < all.length; ) {
    const [from, found] = longest(all, at, places);
    if (found >= LEAST) {
      squeezed[length++] = MARK;
      squeezed[length++] = found;
      let back = at - from;
      for (; back > 0x7f; back >>>= 7) squeezed[length++] = (back & 0x7f) | 0x80;
      squeezed[length++] = back;
    } else {
      squeezed[length++] = all[at]!;
      if (all[at] === MARK) squeezed[length++] = 0;
    }
    const next = at + (found >= LEAST ? found : 1);
    for (; at < next; at++) if (at + 2 < all.length) places.set(three(all, at), at);
  }
  return squeezed.subarray(0, length);
}

/** The stretch that occurred before and begins like the bytes at a place: where, and how long. */
function longest(all: Uint8Array, at: number, places: ReadonlyMap<number, number>): readonly [from: number, length: number] {
  let best: readonly [number, number] = [0, 0];
  if (at + 2 >= all.length) return best;
  const key = three(all, at);
  for (const from of [places.get(key), PLACES.get(key)]) {
    if (from === undefined) continue;
    let length = 0;
    while (length < MOST && at + length < all.length && all[from + length] === all[at + length]) length++;
    if (length > best[1]) best = [from, length];
  }
  return best;
}

/** The reverse of {@link squeeze}. Undefined for bytes that it cannot have made. */
export function expand(squeezed: Uint8Array): Uint8Array | undefined {
  let row = new Uint8Array(BEFORE.length + 4 * squeezed.length);
  row.set(BEFORE);
  let length = BEFORE.length;
  for (let at = 0; at < squeezed.length; ) {
    if (length + MOST > row.length) {
      const larger = new Uint8Array(2 * row.length + MOST);
      larger.set(row);
      row = larger;
    }
    const byte = squeezed[at++]!;
    const count = byte === MARK ? squeezed[at++] : 0;
    if (count === undefined) return undefined;
    if (count === 0) {
      row[length++] = byte;
      continue;
    }
    let back = 0;
    let part: number | undefined;
    let shift = 0;
    do {
      part = squeezed[at++];
      if (part === undefined || shift > 21) return undefined;
      back |= (part & 0x7f) << shift;
      shift += 7;
    } while (part > 0x7f);
    if (back === 0 || back > length) return undefined;
    for (const end = length + count; length < end; length++) row[length] = row[length - back]!;
  }
  return row.slice(BEFORE.length, length);
}

function three(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
}
