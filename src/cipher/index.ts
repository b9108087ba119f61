export type { Bytes } from "./gcm.ts";
export { type Keyring, keyringOf, lock, newSecrets, type Slots, unlock, withNewDataKey, withoutPast } from "./keyring.ts";
export { decryptRow, encryptRow, numberOf } from "./row-cipher.ts";
