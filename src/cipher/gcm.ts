export type Bytes = Uint8Array<ArrayBuffer>;

export const NONCE_BYTES = 12;

/** AES-GCM with a fresh random nonce, which comes before the ciphertext. */
export async function encrypt(key: CryptoKey, additionalData: Bytes, plain: Bytes): Promise<Bytes> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const encrypted = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, plain);
  const sealed = new Uint8Array(NONCE_BYTES + encrypted.byteLength);
  sealed.set(iv);
  sealed.set(new Uint8Array(encrypted), NONCE_BYTES);
  return sealed;
}

/** Undefined if it is not what this key has encrypted with this data. */
export async function decrypt(key: CryptoKey, additionalData: Bytes, sealed: Bytes): Promise<Bytes | undefined> {
  try {
    const iv = sealed.subarray(0, NONCE_BYTES);
    return new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData }, key, sealed.subarray(NONCE_BYTES)));
  } catch {
    return undefined;
  }
}
