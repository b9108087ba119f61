import type { ThreadKey } from "../idb/index.ts";

/** What no other thread is called in keys, nor ever was. */
export function newThreadKey(): ThreadKey {
  return crypto.getRandomValues(new Uint32Array(2)).reduce((high, low) => (high % 2 ** 21) * 2 ** 32 + low) as ThreadKey;
}
