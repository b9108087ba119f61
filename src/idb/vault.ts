import { type Bytes, type Keyring, keyringOf, type Slots, unlock } from "../cipher/index.ts";
import { DatabaseLostError, WrongKeyError } from "../errors/index.ts";
import { EncryptedTransaction, type Raw } from "./encrypted-transaction.ts";
import type { Database, Sealed } from "./schema.ts";

/** How many revisions are remembered as they are on disk. */
const KEPT_REVISIONS = 256;

/** What this realm needs to read and write the rows of one encrypted database. */
export class Vault {
  readonly generation: string;
  readonly #database: string;
  readonly #key: CryptoKey;
  #opened: { readonly slots: Slots; readonly keyring: Keyring } | undefined;
  readonly #revisions = new Map<number, { readonly stored: Bytes; readonly row: Sealed }>();

  /** @throws WrongKeyError */
  static async of(database: Database, generation: string, key: CryptoKey): Promise<Vault> {
    const vault = new Vault(database.name, generation, key);
    await vault.open((await database.get("meta", "encryption")) as Slots | undefined);
    return vault;
  }

  private constructor(database: string, generation: string, key: CryptoKey) {
    this.#database = database;
    this.generation = generation;
    this.#key = key;
  }

  over(raw: Raw): EncryptedTransaction {
    return new EncryptedTransaction(raw, this);
  }

  /** The keys, if the slots are those that were opened last. */
  known(slots: Slots | undefined): Keyring | undefined {
    const last = this.#opened;
    return last !== undefined && slots !== undefined && isSame([...slots], [...last.slots]) ? last.keyring : undefined;
  }

  /** @throws WrongKeyError if the key opens none of the slots */
  async open(slots: Slots | undefined): Promise<Keyring> {
    if (slots === undefined) throw new DatabaseLostError({ database: this.#database });
    const secrets = await unlock(this.#key, slots);
    if (secrets === undefined) throw new WrongKeyError({ database: this.#database });
    const keyring = await keyringOf(secrets);
    this.#opened = { slots, keyring };
    return keyring;
  }

  /** Every transaction asks for a revision, mostly one that was put from here: that need not be decrypted. */
  revision(thread: number, stored: unknown): Sealed | undefined {
    const known = this.#revisions.get(thread);
    return known !== undefined && stored instanceof Uint8Array && isSame(known.stored, stored as Sealed) ? known.row : undefined;
  }

  keepRevision(thread: number, stored: Bytes, row: Sealed): void {
    if (this.#revisions.size >= KEPT_REVISIONS) this.#revisions.clear();
    this.#revisions.set(thread, { stored, row });
  }
}

/** As keys these are equal if their bytes are. */
function isSame(a: IDBValidKey, b: IDBValidKey): boolean {
  return indexedDB.cmp(a, b) === 0;
}
