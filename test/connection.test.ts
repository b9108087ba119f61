import { afterEach, describe, expect, vi } from "vitest";
import { at, put, valuesAt } from "./support/checkpoints.ts";
import { databaseTest, inNode } from "./support/contract.ts";
import { errorOf } from "./support/errors.ts";
import { ownWorker } from "./support/own-worker.ts";
import { databaseVersion, deleteDatabase } from "./support/raw-database.ts";

const thread = at("thread");
const inline = { worker: false } as const;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What a browser's request to open does when it fails at once, or never does anything. */
function openRequest(error?: string): IDBOpenDBRequest {
  const target = new EventTarget();
  const own = { error: error === undefined ? null : new DOMException("injected", error), result: undefined };
  const methods = { addEventListener: target.addEventListener.bind(target), removeEventListener: target.removeEventListener.bind(target) };
  const fields = Object.entries({ ...own, ...methods }).map(([name, value]) => [name, { value }]);
  if (error !== undefined) setTimeout(() => target.dispatchEvent(new Event("error")));
  return Object.create(IDBOpenDBRequest.prototype, Object.fromEntries(fields) as PropertyDescriptorMap) as IDBOpenDBRequest;
}

function onOpen(answer: () => IDBOpenDBRequest) {
  return vi.spyOn(IDBFactory.prototype, "open").mockImplementation(answer);
}

describe("A database that was emptied", () => {
  databaseTest("is not taken for the old one by a worker that takes the place of one that died", async ({ open, database }) => {
    const workers: Worker[] = [];
    const saver = open({ worker: () => workers[workers.push(ownWorker()) - 1]! });
    const first = await put(saver, thread, 1, { values: { list: ["a"] } });
    await deleteDatabase(database);
    workers[0]!.dispatchEvent(Object.assign(new Event("error", { cancelable: true }), { message: "gone" }));
    for (const call of [put(saver, first, 2), saver.getTuple(thread), saver.putWrites(first, [["a", 1]], "task")]) {
      expect(await errorOf(call)).toMatchObject({ code: "database-lost", database });
    }
    expect(workers).toHaveLength(2);
    expect(await databaseVersion(database)).toBeUndefined(); // nor was another made in its place
    await saver.close();
    await put(open(), thread, 1, { values: { list: ["new"] } });
  });
});

describe("A request to open the database", () => {
  databaseTest("that fails is open-failed, is not repeated by itself, and can be tried again", async ({ open, database }) => {
    const saver = open(inline);
    const asked = onOpen(() => openRequest("UnknownError"));
    expect(await errorOf(put(saver, thread, 1))).toMatchObject({ code: "open-failed", database, reason: "UnknownError" });
    expect(asked).toHaveBeenCalledTimes(1);
    vi.restoreAllMocks();
    expect(await valuesAt(saver, await put(saver, thread, 1, { values: { a: 1 } }))).toStrictEqual({ a: 1 });
  });

  databaseTest.for([
    ["QuotaExceededError", "quota-exceeded"],
    ["SecurityError", "storage-unavailable"],
    ["InvalidStateError", "storage-unavailable"],
  ] as const)("that fails with %s is %s", async ([name, code], { open }) => {
    const saver = open(inline);
    onOpen(() => openRequest(name));
    expect((await errorOf(saver.getTuple(thread))).code).toBe(code);
    vi.restoreAllMocks();
    await put(saver, thread, 1);
  });

  databaseTest.for([
    ["", undefined, "timeout"],
    [" while the database is of an older format", 0, "open-blocked"],
  ] as const)("that is never answered%s is given up after a limit, by each who waits, and not made again", async ([, version, code], { open, database }) => {
    const saver = open(inline);
    const asked = onOpen(() => openRequest());
    vi.spyOn(IDBFactory.prototype, "databases").mockResolvedValue(version === undefined ? [] : [{ name: database, version }]);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const codes: string[] = [];
      for (let n = 0; n < 2; n += 1) {
        void errorOf(saver.getTuple(thread)).then((error) => codes.push(error.code));
        for (let seconds = 0; codes.length === n && seconds < 600; seconds += 1) await vi.advanceTimersByTimeAsync(1_000);
      }
      expect(codes).toStrictEqual([code, code]);
      expect(asked).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("A handle", () => {
  databaseTest("whose server was lost is left: what failed on it is tried once more on another", async ({ open }) => {
    const saver = open(inline);
    const first = await put(saver, thread, 1, { values: { list: ["a"] } });
    const lost = new WeakSet<IDBDatabase>();
    const { transaction } = IDBDatabase.prototype;
    let isDown = true;
    const begun = vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(function (this: IDBDatabase, ...args) {
      if (isDown) lost.add(this);
      isDown = false;
      const made = transaction.apply(this, args);
      if (lost.has(this)) {
        Object.defineProperty(made, "error", { get: () => new DOMException("connection to the server lost", "UnknownError"), set() {}, configurable: true });
        made.abort();
      }
      return made;
    });
    const second = await put(saver, first, 2, { values: { list: ["a", "b"] } });
    expect(begun.mock.contexts.filter((context) => lost.has(context as IDBDatabase))).toHaveLength(1);
    expect(await valuesAt(saver, second)).toStrictEqual({ list: ["a", "b"] });
    isDown = true;
    expect(await valuesAt(saver, second)).toStrictEqual({ list: ["a", "b"] });
  });

  databaseTest("that is closing is left before any request is made, once", async ({ open }) => {
    const saver = open(inline);
    await put(saver, thread, 1, { values: { a: 1 } });
    const { transaction } = IDBDatabase.prototype;
    let closing = 1;
    vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(function (this: IDBDatabase, ...args) {
      if (closing-- > 0) throw new DOMException("closing", "InvalidStateError");
      return transaction.apply(this, args);
    });
    expect(await valuesAt(saver, thread)).toStrictEqual({ a: 1 });
    closing = 1_000;
    expect(await errorOf(saver.getTuple(thread))).toMatchObject({ code: "transaction-failed", reason: "InvalidStateError" });
    closing = 0;
    expect(await valuesAt(saver, thread)).toStrictEqual({ a: 1 });
  });

  databaseTest.for(["pagehide", "freeze"])("is closed when the page is put aside (%s), and opened again when it is needed", async (type, { open }) => {
    if (inNode) {
      const page = new EventTarget();
      for (const name of ["addEventListener", "removeEventListener"] as const) vi.stubGlobal(name, page[name].bind(page));
      vi.stubGlobal("dispatchEvent", page.dispatchEvent.bind(page));
      vi.stubGlobal("document", new EventTarget());
    }
    const saver = open(inline);
    const first = await put(saver, thread, 1, { values: { list: ["a"] } });
    const closed = vi.spyOn(IDBDatabase.prototype, "close");
    const hide = (persisted: boolean) => dispatchEvent(Object.assign(new Event("pagehide"), { persisted }));
    hide(false);
    await saver.getTuple(thread);
    expect(closed).not.toHaveBeenCalled();
    const storing = put(saver, first, 2, { values: { list: ["a", "b"] } });
    if (type === "pagehide") hide(true);
    else document.dispatchEvent(new Event("freeze"));
    await storing;
    await vi.waitFor(() => expect(closed).toHaveBeenCalled());
    expect(await valuesAt(saver, thread)).toStrictEqual({ list: ["a", "b"] });
  });
});

describe("Savers that share a worker", () => {
  databaseTest("have each its own limits", async ({ open }) => {
    const silent = new EventTarget() as EventTarget & { postMessage?: () => void; terminate?: () => void };
    silent.postMessage = () => undefined;
    silent.terminate = () => undefined;
    const worker = silent as unknown as Worker;
    const patient = open({ worker, timeouts: { start: 60_000, call: 60_000 } });
    const waiting = errorOf(patient.getTuple(thread));
    const hasty = open({ worker, timeouts: { start: 200, call: 60_000 } });
    expect(await errorOf(hasty.getTuple(thread))).toMatchObject({ code: "worker-start" });
    expect((await waiting).message).toContain("200"); // it does not answer: for nobody
  });
});
