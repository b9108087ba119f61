import { InvalidConfigError } from "../errors/index.ts";
import { derivationOf } from "../idb/index.ts";
import { requireCrypto } from "./require-crypto.ts";
import { databaseName } from "../threads/options.ts";

/** What OWASP recommends for PBKDF2 with SHA-256. */
const ITERATIONS = 600_000;

const SALT_BYTES = 16;

export interface PassphraseOptions {
  /** The database that the key is for. Default: `"langgraph"`. It is made if there is none. */
  readonly name?: string;
  /** Taken as it is: an empty one is refused, a weak one is not. Strings that Unicode holds for the same (NFKC) give the same key. */
  readonly passphrase: string;
}

/**
 * Derives a key from a passphrase, by PBKDF2 with SHA-256, 600,000 iterations and a random salt of 16 bytes. Salt and iterations are kept
 * in the database, so the same passphrase gives the same key, for this database only. Takes some tenths of a second, off the main thread. The
 * key cannot be extracted.
 *
 * A wrong passphrase gives a key too, one that is refused with `wrong-key` at its first use.
 *
 * @throws CheckpointError `invalid-config` for an empty passphrase; `crypto-unavailable`; `foreign-database`, `open-failed` and others of opening
 * @example
 * ```ts
 * const key = await keyFromPassphrase({ name: "my-agent", passphrase });
 * const saver = new IndexedDBSaver({ name: "my-agent", encryption: { key } });
 * ```
 */
export async function keyFromPassphrase({ name, passphrase }: PassphraseOptions): Promise<CryptoKey> {
  const database = databaseName(name);
  if (typeof passphrase !== "string" || passphrase === "") throw new InvalidConfigError({ field: "passphrase", hint: "It is a string that is not empty." });
  requireCrypto();
  const { salt, iterations } = await derivationOf(database, { salt: crypto.getRandomValues(new Uint8Array(SALT_BYTES)), iterations: ITERATIONS });
  const secret = await crypto.subtle.importKey("raw", new TextEncoder().encode(passphrase.normalize("NFKC")), "PBKDF2", false, ["deriveKey"]);
  return crypto.subtle.deriveKey({ name: "PBKDF2", hash: "SHA-256", salt, iterations }, secret, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}
