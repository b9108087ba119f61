import { packr } from "../msgpack/index.ts";
import { type Bytes, decrypt, encrypt } from "./gcm.ts";

/**
 * Rows are encrypted by a data key, which is random and made with the database. The database holds it encrypted, once for each
 * key of the application that opens it: one, or two while a key is being changed. Each such **slot** holds all of this, so none of it can be
 * changed without a key.
 */
export interface Secrets {
  /** The number of the data key that rows are written with. */
  readonly current: number;
  /** Whether rows that are not encrypted are still taken: only while a database is being encrypted. */
  readonly takesPlain: boolean;
  /** The data keys by number: one, or two while rows of the one before are left. */
  readonly dataKeys: ReadonlyMap<number, Bytes>;
}

/** What a realm that has opened a slot works with. */
export interface Keyring {
  readonly current: number;
  readonly takesPlain: boolean;
  readonly keys: ReadonlyMap<number, CryptoKey>;
}

export type Slots = readonly Bytes[];

const DATA_KEY_BYTES = 32;
/** Rows have a byte for the number. At most two are in use at a time. */
const NUMBERS = 256;
const PURPOSE = new TextEncoder().encode("langgraph-checkpoint-indexeddb data keys");

export function newSecrets(takesPlain: boolean): Secrets {
  return { current: 0, takesPlain, dataKeys: new Map([[0, newDataKey()]]) };
}

/** With another data key, which rows are written with from now on. */
export function withNewDataKey({ current, takesPlain, dataKeys }: Secrets): Secrets {
  const next = (current + 1) % NUMBERS;
  return { current: next, takesPlain, dataKeys: new Map([...dataKeys, [next, newDataKey()]]) };
}

/** With nothing left of what came before the current data key. */
export function withoutPast({ current, dataKeys }: Secrets): Secrets {
  return { current, takesPlain: false, dataKeys: new Map([[current, dataKeys.get(current)!]]) };
}

function newDataKey(): Bytes {
  return crypto.getRandomValues(new Uint8Array(DATA_KEY_BYTES));
}

export function lock(key: CryptoKey, { current, takesPlain, dataKeys }: Secrets): Promise<Bytes> {
  return encrypt(key, PURPOSE, new Uint8Array(packr.pack([current, takesPlain, [...dataKeys]])));
}

/** What is in the slot that a key opens; undefined if it opens none. */
export async function unlock(key: CryptoKey, slots: Slots): Promise<Secrets | undefined> {
  for (const slot of slots) {
    const packed = await decrypt(key, PURPOSE, slot);
    if (packed === undefined) continue;
    const [current, takesPlain, dataKeys] = packr.unpack(packed) as [number, boolean, [number, Bytes][]];
    return { current, takesPlain, dataKeys: new Map(dataKeys) };
  }
  return undefined;
}

/** The data keys can be used from here on, and not be read any more. */
export async function keyringOf({ current, takesPlain, dataKeys }: Secrets): Promise<Keyring> {
  const keys = [...dataKeys].map(async ([number, bytes]) => [number, await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"])] as const);
  return { current, takesPlain, keys: new Map(await Promise.all(keys)) };
}
