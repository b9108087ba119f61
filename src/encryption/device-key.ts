import { forgetKey, keptKey } from "../idb/index.ts";
import { databaseName } from "../threads/options.ts";
import { requireCrypto } from "./require-crypto.ts";

export interface DeviceKeyOptions {
  /** The database that the key is for. Default: `"langgraph"`. */
  readonly name?: string;
  /** Which of its keys: another one, to change to. Default: `"1"`. */
  readonly id?: string;
}

/**
 * A key of this browser and origin: made at random at the first call, and kept in an IndexedDB database of its own. Every later
 * call gives the same one, in every tab. It cannot be extracted: a script of the page can use it and not read it.
 *
 * @throws CheckpointError `crypto-unavailable`, `storage-unavailable`, `open-failed`, `quota-exceeded`
 * @example
 * ```ts
 * const saver = new IndexedDBSaver({ encryption: { key: await deviceKey() } });
 * ```
 */
export async function deviceKey({ name, id = "1" }: DeviceKeyOptions = {}): Promise<CryptoKey> {
  const database = databaseName(name);
  requireCrypto();
  return keptKey(database, id, await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]));
}

/**
 * Deletes a device key. What only that opens cannot be read by anybody from then on, once all tabs that use it are closed.
 *
 * @throws CheckpointError `storage-unavailable`, `open-failed`
 */
export async function forgetDeviceKey({ name, id = "1" }: DeviceKeyOptions = {}): Promise<void> {
  await forgetKey(databaseName(name), id);
}
