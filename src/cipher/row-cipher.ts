import { type Bytes, decrypt, encrypt, NONCE_BYTES } from "./gcm.ts";
import type { Keyring } from "./keyring.ts";

/**
 * A row as it is on disk: the number of the data key (one byte), a nonce, the ciphertext and its tag. What the row is, is
 * authenticated along with it: under another key, in another store or another database it does not open.
 */
const NUMBER_BYTES = 1;

export async function encryptRow({ current, keys }: Keyring, identity: Bytes, row: Bytes): Promise<Bytes> {
  const sealed = await encrypt(keys.get(current) as CryptoKey, identity, row);
  const stored = new Uint8Array(NUMBER_BYTES + sealed.length);
  stored[0] = current;
  stored.set(sealed, NUMBER_BYTES);
  return stored;
}

/** Undefined for what no key of the ring has encrypted as this row. */
export async function decryptRow({ keys }: Keyring, identity: Bytes, stored: unknown): Promise<Bytes | undefined> {
  if (!(stored instanceof Uint8Array) || stored.length < NUMBER_BYTES + NONCE_BYTES) return undefined;
  const key = keys.get(stored[0] as number);
  return key && decrypt(key, identity, (stored as Bytes).subarray(NUMBER_BYTES));
}

/** Which data key encrypted a row, if any did. */
export function numberOf(stored: unknown): number | undefined {
  return stored instanceof Uint8Array ? stored[0] : undefined;
}
