/**
 * Makes readwrite transactions fail as browsers make them fail. Importing this patches the realm's IndexedDB; nothing
 * changes until `failCommits` is called.
 */

export interface Fault {
  /** How many readwrite transactions fail; 0 ends the fault. */
  readonly count: number;
  /** The name of the transaction's error; null for an abort that gives none. Default: null. */
  readonly error?: string | null;
  /** How many are spared first. Default: 0. */
  readonly after?: number;
  /**
   * `"commit"`, the default: every request succeeds and then the commit aborts, as with a full disk. `"midway"`: it aborts
   * when the first row is written, with the others still on their way. A number: after so many rows.
   */
  readonly at?: "commit" | "midway" | number;
}

interface Doomed {
  readonly transaction: IDBTransaction;
  readonly fault: Fault;
  open: number;
  written: number;
}

const doomed = new WeakMap<IDBTransaction, Doomed>();
let current: Fault = { count: 0 };

/** The next readwrite transactions of this realm fail. */
export function failCommits(fault: Fault): void {
  current = fault;
}

type Method = (this: object, ...args: unknown[]) => unknown;

function patch(prototype: object, name: string, wrap: (original: Method) => Method): Method {
  const original = Reflect.get(prototype, name) as Method;
  Object.defineProperty(prototype, name, { value: wrap(original), configurable: true, writable: true });
  return original;
}

function transactionOf(part: object): IDBTransaction {
  if (part instanceof IDBObjectStore) return part.transaction;
  if (part instanceof IDBIndex) return part.objectStore.transaction;
  return transactionOf((part as IDBCursor).source);
}

const count = IDBObjectStore.prototype.count;

function abort({ transaction, fault: { error = null } }: Doomed): void {
  Object.defineProperty(transaction, "error", { get: () => (error === null ? null : new DOMException("injected", error)), set() {}, configurable: true });
  transaction.abort();
}

function abortOnce(fate: Doomed): void {
  if (!doomed.delete(fate.transaction)) return;
  abort(fate);
}

/** One more request after the last one: when it succeeds and nothing came in between, the work is done and only the commit is left. */
function probe(fate: Doomed): void {
  try {
    const request = count.call(fate.transaction.objectStore(fate.transaction.objectStoreNames[0] ?? ""));
    request.onsuccess = () => {
      if (fate.open === 0) abort(fate);
    };
    request.onerror = (event) => event.stopPropagation();
  } catch {
    // The transaction has ended by itself.
  }
}

function watch(request: IDBRequest, fate: Doomed, writes: boolean): void {
  fate.open += 1;
  const settled = () => {
    request.removeEventListener("success", settled);
    request.removeEventListener("error", settled);
    fate.open -= 1;
    if (writes) fate.written += 1;
    if (fate.written === (fate.fault.at === "midway" ? 1 : fate.fault.at)) abortOnce(fate);
    else if (fate.open === 0) probe(fate);
  };
  request.addEventListener("success", settled);
  request.addEventListener("error", settled);
}

const makers: [object, string[]][] = [
  [IDBObjectStore.prototype, ["put", "add", "delete", "clear", "get", "getKey", "getAll", "getAllKeys", "count", "openCursor", "openKeyCursor"]],
  [IDBIndex.prototype, ["get", "getKey", "getAll", "getAllKeys", "count", "openCursor", "openKeyCursor"]],
  [IDBCursor.prototype, ["continue", "continuePrimaryKey", "advance", "update", "delete"]],
];

for (const [prototype, names] of makers) {
  for (const name of names) {
    patch(prototype, name, (original) => function (...args) {
      const request = original.apply(this, args);
      const fate = doomed.get(transactionOf(this));
      if (fate !== undefined) watch((request ?? (this as IDBCursor).request) as IDBRequest, fate, ["put", "add", "delete"].includes(name));
      return request;
    });
  }
}

patch(IDBDatabase.prototype, "transaction", (original) => function (...args) {
  const transaction = original.apply(this, args) as IDBTransaction;
  if (args[1] === "readwrite" && current.count > 0 && (current.after ?? 0) > 0) current = { ...current, after: (current.after ?? 0) - 1 };
  else if (args[1] === "readwrite" && current.count > 0) {
    current = { ...current, count: current.count - 1 };
    doomed.set(transaction, { transaction, fault: current, open: 0, written: 0 });
    Object.defineProperty(transaction, "commit", { value: () => undefined, configurable: true, writable: true });
  }
  return transaction;
});
