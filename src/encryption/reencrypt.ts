import { InvalidConfigError } from "../errors/index.ts";
import { reencrypt as rewrite } from "../idb/index.ts";
import { databaseName, isUsable } from "../threads/options.ts";

export interface ReencryptOptions {
  /** The database. Default: `"langgraph"`. */
  readonly name?: string;
  /** The key that opens it now. Absent: it is not encrypted yet. */
  readonly from?: CryptoKey;
  /** The key that opens it afterwards. */
  readonly to: CryptoKey;
}

/**
 * Encrypts a database that is not yet, or all of an encrypted one anew for another key. Row by row, a few at a time: others go on
 * reading and writing meanwhile, with the old key or the new one. Resolves when the new key is the only one; savers with the old key reject with
 * `wrong-key` from then on. If it is cut short, both keys open the database, and the next call with the same keys goes on.
 *
 * While a database is encrypted for the first time, savers without a key reject with `encryption-required`, and rows that are
 * not encrypted are still read.
 *
 * @throws CheckpointError `wrong-key` if `from` does not open it, or another change of the key took its place; `open-blocked` and others
 * of opening; `quota-exceeded`
 * @example
 * ```ts
 * await reencrypt({ name: "my-agent", from: key, to: newKey });
 * ```
 */
export async function reencrypt({ name, from, to }: ReencryptOptions): Promise<void> {
  for (const [field, key] of [["from", from], ["to", to]] as const) {
    if (field === "from" && key === undefined) continue;
    if (!isUsable(key)) throw new InvalidConfigError({ field, hint: 'It is a CryptoKey for AES-GCM with the usages "encrypt" and "decrypt".' });
  }
  await rewrite(databaseName(name), from, to);
}
