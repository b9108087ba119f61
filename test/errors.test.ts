import { describe, expect, it, vi } from "vitest";
import { CheckpointError, IndexedDBSaver } from "../src/index.ts";
import { at, put, valuesAt } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";
import { errorOf } from "./support/errors.ts";
import { connect, createDatabase, databaseVersion, deleteDatabase, readRows } from "./support/raw-database.ts";

const thread = at("thread");

/** The stores of a format to come. */
const newer = ["meta", "checkpoints", "something new"];

contract("An error says what the caller can do", (it) => {
  it("and is recognised by its mark, in any copy of the package", async ({ saver }) => {
    const error = await errorOf(saver.deleteThread(7 as unknown as string));
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(CheckpointError);
    expect(error.name).toBe("InvalidIdError");
    expect(CheckpointError.is(error)).toBe(true);
    for (const other of [new Error("x"), { code: "invalid-id" }, null, undefined, "invalid-id"]) expect(CheckpointError.is(other)).toBe(false);
  });

  it.for([1, 7, 1_000_000])("of a database that is not ours (version %s): it is left alone", async (version, { saver, database }) => {
    await createDatabase(database, version, ["theirs"]);
    for (const call of [() => saver.getTuple(thread), () => put(saver, thread, 1), () => saver.deleteThread("thread")]) {
      expect(await errorOf(call())).toMatchObject({ code: "foreign-database", database });
    }
    expect(await databaseVersion(database)).toBe(version);
    expect(await readRows(database)).toStrictEqual([]);
  });

  it("of a format that is newer: it is refused and not touched", async ({ saver, database }) => {
    await createDatabase(database, 1_000_000, newer);
    for (const call of [() => saver.getTuple(thread), () => put(saver, thread, 1)]) {
      expect(await errorOf(call())).toMatchObject({ code: "unsupported-format", database });
    }
    expect(await databaseVersion(database)).toBe(1_000_000);
    expect(await readRows(database)).toStrictEqual([]);
  });

  it("of a database that was deleted under the saver: it does not go on with an empty one", async ({ saver, database }) => {
    const first = await put(saver, thread, 1, { values: { list: ["a"] } });
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase(database); // the idle saver lets go of it
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error ?? new Error("not deleted"));
    });
    expect(await errorOf(put(saver, first, 2, { values: { list: ["a", "b"] } }))).toMatchObject({ code: "database-lost", database });
    expect((await errorOf(saver.getTuple(thread))).code).toBe("database-lost");
  });

  it("of an option that is none", ({ open }) => {
    const wrong: [RegExp, object][] = [
      [/worker/, { worker: "no" }],
      [/durability/, { durability: "x" }],
      [/serde/, { serde: {} }],
      [/types/, { types: [{}] }],
    ];
    for (const [field, options] of wrong) expect(() => open(options)).toThrow(field);
  });

  it("of a limit that is none", ({ open }) => {
    for (const call of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
      expect(() => open({ timeouts: { call } })).toThrow(/timeouts\.call/);
    }
  });

  it("of a name that is none", ({ open }) => {
    const attempt = (name: unknown) => {
      try {
        open({ name: name as string });
        return "opened";
      } catch (error) {
        return CheckpointError.is(error) ? error.code : error;
      }
    };
    expect(["", 7, null].map(attempt)).toStrictEqual(["invalid-config", "invalid-config", "invalid-config"]);
  });

  it("keeps its class, code, facts, cause and sentence on the way from the engine", async ({ saver, database }) => {
    await createDatabase(database, 1_000_000, newer);
    const error = await errorOf(saver.getTuple(thread));
    expect([error.name, error.code, error.facts, (error.cause as Error).name]).toStrictEqual(["UnsupportedFormatError", "unsupported-format", { database }, "VersionError"]);
    expect(error.message).toContain(database);
    expect(error.stack).toContain("Error");
  });
});

describe("Where there is no IndexedDB", () => {
  const without = async (descriptor: PropertyDescriptor, use: () => Promise<void>) => {
    const own = Object.getOwnPropertyDescriptor(globalThis, "indexedDB");
    Object.defineProperty(globalThis, "indexedDB", { configurable: true, ...descriptor });
    try {
      await use();
    } finally {
      if (own === undefined) Reflect.deleteProperty(globalThis, "indexedDB");
      else Object.defineProperty(globalThis, "indexedDB", own);
    }
  };

  it.for<[string, PropertyDescriptor]>([
    ["there is none", { value: undefined }],
    ["the page may not touch it", { get: () => { throw new DOMException("denied", "SecurityError"); } }],
  ])("the first use rejects, not the construction: %s", async ([, descriptor]) => {
    await without(descriptor, async () => {
      const saver = new IndexedDBSaver({ name: "nowhere", worker: false });
      for (const call of [() => saver.getTuple(thread), () => put(saver, thread, 1), () => saver.deleteThread("thread")]) {
        expect((await errorOf(call())).code).toBe("storage-unavailable");
      }
      await saver.close();
    });
  });
});

describe("A database that does not open", () => {
  it("is given up after a limit, and opened again when it can be", async () => {
    const name = `blocked ${crypto.randomUUID()}`;
    await createDatabase(name, 1, []);
    const holder = await connect(name); // it does not let go on versionchange
    const deleted = new Promise<void>((resolve) => {
      indexedDB.deleteDatabase(name).onsuccess = () => resolve(); // every open after this one queues behind it
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const saver = new IndexedDBSaver({ name, worker: false });
    try {
      let code: string | undefined;
      void errorOf(saver.getTuple(thread)).then((error) => {
        code = error.code;
      });
      for (let minutes = 0; code === undefined && minutes < 10; minutes += 1) await vi.advanceTimersByTimeAsync(60_000);
      expect(["timeout", "open-blocked"]).toContain(code);
    } finally {
      vi.useRealTimers();
      holder.close();
    }
    await deleted;
    const config = await put(saver, thread, 1, { values: { a: 1 } });
    expect(await valuesAt(saver, config)).toStrictEqual({ a: 1 });
    await saver.close();
    await deleteDatabase(name);
  });
});
