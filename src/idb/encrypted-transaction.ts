import { type IDBPTransaction, unwrap } from "idb";
import { decryptRow, encryptRow, type Keyring, numberOf, type Slots } from "../cipher/index.ts";
import { identityOf, sealedIn, withSealed } from "./identity.ts";
import type { RowStore, Schema, Sealed, Writing } from "./schema.ts";
import type { Vault } from "./vault.ts";
import { Vigil } from "./vigil.ts";

/** Over the rows as they are on disk. */
export type Raw = IDBPTransaction<Schema, (RowStore | "meta")[], "readonly" | "readwrite">;
type Key<S extends RowStore> = Schema[S]["key"];
type Value<S extends RowStore> = Schema[S]["value"];

/**
 * A transaction over encrypted rows: takes and gives rows as they are without encryption. Requests are made in the order in which they
 * were asked for. A row that is put waits until it is encrypted, and whatever was asked for after it waits with it, so that it
 * finds what was put. A row that does not open is given as an empty one, which whoever reads it takes for damaged.
 */
export class EncryptedTransaction implements Writing {
  readonly #raw: Raw;
  readonly #vault: Vault;
  readonly #vigil: Vigil;
  readonly #keyring: Promise<Keyring>;
  /** The last row put: settled when its request was made. */
  #lastPut: Promise<void> | undefined;

  constructor(raw: Raw, vault: Vault) {
    this.#raw = raw;
    this.#vault = vault;
    this.#vigil = new Vigil(() => raw.objectStore("meta").getKey("generation"));
    this.#keyring = this.#openKeyring();
    this.#keyring.catch(() => undefined); // Whoever needs it is told.
  }

  /** The keys that are right in this very transaction: another tab may have changed them. */
  async #openKeyring(): Promise<Keyring> {
    const slots = (await this.#raw.objectStore("meta").get("encryption")) as Slots | undefined;
    return this.#vault.known(slots) ?? this.#vigil.wait(this.#vault.open(slots));
  }

  objectStore<S extends RowStore>(name: S): ReturnType<Writing["objectStore"]> {
    const store = this.#raw.objectStore(name);
    const keysOf = (source: Pick<typeof store, "getKey" | "getAllKeys" | "count" | "openKeyCursor">): typeof source => ({
      getKey: (query) => this.#inTurn(() => source.getKey(query)),
      getAllKeys: (...query) => this.#inTurn(() => source.getAllKeys(...query)),
      count: (query) => this.#inTurn(() => source.count(query)),
      openKeyCursor: (...query) => this.#inTurn(() => source.openKeyCursor(...query)),
    });
    const rows = {
      ...keysOf(store),
      get: (key: Key<S>) => this.#inTurn(async () => {
        const row = await store.get(key);
        return row === undefined ? undefined : this.#decrypt(name, key, row);
      }),
      getAll: (...query: Parameters<typeof store.getAll>) => this.#inTurn(async () => {
        const [keys, found] = await Promise.all([store.getAllKeys(...query), store.getAll(...query)]);
        return Promise.all(found.map((row, index) => this.#decrypt(name, keys[index] as Key<S>, row)));
      }),
      openCursor: (...query: Parameters<typeof store.openCursor>) => this.#inTurn(async () => {
        const cursor = await store.openCursor(...query);
        if (cursor === null) return null;
        const primaryKey = cursor.primaryKey as Key<S>;
        return { primaryKey, value: await this.#decrypt(name, primaryKey, cursor.value) };
      }),
      index: (index: "lineage") => keysOf(this.#raw.objectStore("checkpoints").index(index) as unknown as typeof store),
    };
    return rows;
  }

  put<S extends RowStore>(store: S, value: Value<S>, key: Key<S>): void {
    const encrypted = this.#encrypt(store, key, value);
    const before = this.#lastPut;
    this.#queue(async () => {
      const row = await this.#vigil.wait(encrypted);
      await before;
      unwrap(this.#raw).objectStore(store).put(row, key);
    });
  }

  remove(store: RowStore, keys: IDBKeyRange | IDBValidKey): void {
    const request = () => void unwrap(this.#raw).objectStore(store).delete(keys);
    const before = this.#lastPut;
    if (before === undefined) request();
    else this.#queue(() => before.then(request));
  }

  /**
   * Encrypts anew what of a page of rows is not encrypted by the current data key. A row that does not open stays as it is.
   * Gives the last key of the page, to go on after; none if that was all.
   */
  async renew(store: RowStore, after: IDBValidKey | undefined, size: number): Promise<IDBValidKey | undefined> {
    const source = this.#raw.objectStore(store);
    const range = after === undefined ? null : IDBKeyRange.lowerBound(after, true);
    const [keys, values] = await Promise.all([source.getAllKeys(range, size), source.getAll(range, size)]);
    const keyring = await this.#keyring;
    await Promise.all(
      values.map(async (value, index) => {
        const key = keys[index]!;
        const isCurrent = numberOf(sealedIn(value)) === keyring.current;
        if (isCurrent && !keyring.takesPlain) return;
        const row = await this.#open(keyring, store, key, value);
        if (row === undefined ? keyring.takesPlain : !isCurrent) this.put(store, withSealed(value, row ?? (sealedIn(value) as Sealed)), key);
      }),
    );
    return keys[size - 1];
  }

  /** Resolves when all that was put has been asked for. */
  async flush(): Promise<void> {
    await this.#lastPut;
    await this.#keyring;
  }

  abort(): void {
    this.#raw.abort();
  }

  #queue(work: () => Promise<void>): void {
    this.#lastPut = work();
    this.#lastPut.catch(() => undefined); // The transaction has ended, and tells why.
  }

  #inTurn<T>(request: () => Promise<T>): Promise<T> {
    return this.#lastPut === undefined ? request() : this.#lastPut.then(request);
  }

  async #decrypt<S extends RowStore>(store: S, key: Key<S>, value: Value<S>): Promise<Value<S>> {
    const keyring = await this.#keyring;
    const stored = sealedIn(value);
    const known = store === "revisions" ? this.#vault.revision(key as number, stored) : undefined;
    if (known !== undefined) return known;
    const row = await this.#open(keyring, store, key, value);
    return withSealed(value, row ?? (keyring.takesPlain ? (stored as Sealed) : new Uint8Array()));
  }

  /** Undefined for a value that is not what was put under this key. */
  async #open<S extends RowStore>(keyring: Keyring, store: S, key: Key<S>, value: Value<S>): Promise<Sealed | undefined> {
    let identity: Sealed;
    try {
      identity = identityOf(this.#vault.generation, store, key, value);
    } catch {
      return undefined; // No value of ours.
    }
    return this.#vigil.wait(decryptRow(keyring, identity, sealedIn(value)));
  }

  async #encrypt<S extends RowStore>(store: S, key: Key<S>, value: Value<S>): Promise<Value<S>> {
    const row = sealedIn(value) as Sealed;
    const stored = await encryptRow(await this.#keyring, identityOf(this.#vault.generation, store, key, value), row);
    if (store === "revisions") this.#vault.keepRevision(key as number, stored, row);
    return withSealed(value, stored);
  }
}
