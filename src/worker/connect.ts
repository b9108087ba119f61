import type { Engine } from "../engine/index.ts";
import { type Limits, WorkerLink } from "./link.ts";

/** The use of an engine, until it is released. */
export interface Lease {
  readonly engine: Engine;
  /** Waits for what was asked. The last one to leave closes the database, and ends the worker if it is ours. */
  release(): Promise<void>;
}

/** `true`: this package's own worker. `false`: no worker. */
export type WorkerOption = boolean | Worker | (() => Worker);

/** Everyone in this realm who names the same database uses one engine, and all of them one worker: no second connection, no leak by a saver made twice. */
const inline = new Map<string, Shared>();
let common: { link: WorkerLink; databases: Map<string, Shared> } | undefined;
const given = new WeakMap<Worker, { link: WorkerLink; databases: Map<string, Shared> }>();

interface Shared {
  readonly engine: Engine;
  leases: number;
}

export function connect(database: string, worker: WorkerOption, limits: Limits): Lease {
  if (worker === false) return lease(inline, database, () => engineHere(database));
  if (worker === true) {
    common ??= { link: new WorkerLink(startWorker, limits), databases: new Map() };
    const { link, databases } = common;
    return behind(link, databases, database, () => {
      if (common?.link === link) common = undefined;
    });
  }
  if (typeof worker === "function") return behind(new WorkerLink(worker, limits), new Map(), database);
  let known = given.get(worker);
  if (known === undefined) given.set(worker, (known = { link: new WorkerLink(worker, limits), databases: new Map() }));
  return behind(known.link, known.databases, database);
}

/** Written so that bundlers find the worker's file. */
function startWorker(): Worker {
  return new Worker(new URL("./host.js", import.meta.url), { type: "module", name: "langgraph-checkpoint-indexeddb" });
}

function behind(link: WorkerLink, databases: Map<string, Shared>, database: string, onEmpty?: () => void): Lease {
  const inner = lease(databases, database, () => engineBehind(link, database));
  return {
    engine: inner.engine,
    async release() {
      const closing = inner.release();
      const last = databases.size === 0;
      if (last) onEmpty?.();
      await closing;
      if (last) link.end();
    },
  };
}

function lease(databases: Map<string, Shared>, database: string, make: () => Engine): Lease {
  const shared = databases.get(database) ?? { engine: make(), leases: 0 };
  shared.leases++;
  databases.set(database, shared);
  return {
    engine: shared.engine,
    async release() {
      if (--shared.leases > 0) return;
      databases.delete(database);
      await shared.engine.close();
    },
  };
}

/** The engine in this realm: its code is loaded when it is needed, and not where it is in the worker. */
function engineHere(database: string): Engine {
  let loading: Promise<Engine> | undefined;
  return engineOf(async (method, request) => {
    loading ??= import("../engine/index.ts").then(({ LocalEngine }) => new LocalEngine(database));
    return ((await loading)[method] as (request: unknown) => Promise<unknown>)(request);
  });
}

function engineBehind(link: WorkerLink, database: string): Engine {
  return engineOf((method, request) => (method === "close" ? link.closeDatabase(database) : link.call(database, method, request)));
}

function engineOf(call: (method: keyof Engine, request?: unknown) => Promise<unknown>): Engine {
  const method = <T>(name: keyof Engine) => (request?: unknown) => call(name, request) as Promise<T>;
  return {
    put: method("put"),
    putWrites: method("putWrites"),
    deleteThread: method("deleteThread"),
    tuple: method("tuple"),
    list: method("list"),
    history: method("history"),
    close: method("close"),
  };
}
