/**
 * A 32-bit hash by the MurmurHash3 construction: for finding equal elements, and for checksums. Every round is a bijection
 * of the state, so a change within four aligned bytes always changes the result; any other slips through once in 2³².
 */
export function hash(bytes: Uint8Array, seed: number, from = 0): number {
  let state = seed;
  const end = bytes.length;
  const whole = end - ((end - from) & 3);
  let at = from;
  if (IS_LITTLE_ENDIAN && (bytes.byteOffset + from) % 4 === 0) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + from, (whole - from) / 4);
    const count = words.length;
    // `mix`, written out: a read on a fresh page runs this before the browser has compiled it.
    for (let index = 0; index < count; index++) {
      const k = Math.imul(words[index]!, 0xcc9e2d51);
      const h = state ^ Math.imul((k << 15) | (k >>> 17), 0x1b873593);
      state = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
    }
    at = whole;
  }
  for (; at < whole; at += 4) {
    state = mix(state, bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
  }
  let rest = 0;
  for (let shift = 0; at < end; at++, shift += 8) rest |= bytes[at]! << shift;
  return finish(mix(state, rest), end - from);
}

/** Then four bytes at a time can be taken as they are in memory. */
const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

export function hashText(text: string, seed = 0): number {
  let state = seed;
  for (let at = 0; at < text.length; at++) state = mix(state, text.charCodeAt(at));
  return finish(state, text.length);
}

function mix(state: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  const h = state ^ Math.imul(k, 0x1b873593);
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(state: number, length: number): number {
  let h = state ^ length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
