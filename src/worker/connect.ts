import type { Engine } from "../engine/index.ts";
import { WorkerStartError } from "../errors/index.ts";
import { wakeStorage } from "../idb/wake.ts";
import { type Limits, WorkerLink } from "./link.ts";
import { METHODS } from "./protocol.ts";
import { whenPutAside } from "./put-aside.ts";

/** The use of an engine, until it is released. */
export interface Lease {
  readonly engine: Engine;
  /** Asks the worker that the engine runs in for something else. Absent where the engine is in this realm. */
  readonly ask?: (method: string, request: object) => Promise<unknown>;
  /** Waits for what was asked. The last one to leave closes the database, and ends the worker if it is ours. */
  release(): Promise<void>;
}

/** `true`: this package's own worker. `false`: no worker. A `Worker`, or a function that makes one: the application's. */
export type WorkerOption = boolean | Worker | (() => Worker);

type Made = Pick<Lease, "engine" | "ask">;

/** The engines of one place, by database, and who uses them. Everyone who names the same database there shares its engine. */
class Place {
  readonly #engines = new Map<string, { readonly use: (limits: Limits) => Made; leases: number }>();
  readonly #make: (database: string) => (limits: Limits) => Made;
  readonly #onEmpty: () => void;
  #leases = 0;

  /** @param make how to use a database here, within the limits of whoever uses it */
  constructor(make: (database: string) => (limits: Limits) => Made, onEmpty: () => void) {
    this.#make = make;
    this.#onEmpty = onEmpty;
  }

  lease(database: string, limits: Limits): Lease {
    const shared = this.#engines.get(database) ?? { use: this.#make(database), leases: 0 };
    this.#engines.set(database, shared);
    shared.leases++;
    this.#leases++;
    const made = shared.use(limits);
    const stay = whenPutAside(() => made.engine.suspend());
    return {
      ...made,
      release: async () => {
        stay();
        try {
          if (--shared.leases > 0) return;
          this.#engines.delete(database);
          await made.engine.close();
        } finally {
          if (--this.#leases === 0) this.#onEmpty();
        }
      },
    };
  }
}

const here = new Place((database) => {
  const engine = engineHere(database);
  return () => ({ engine });
}, () => undefined);
/** This package's own worker: one for all who do not say otherwise. */
let common: Place | undefined;
const given = new WeakMap<Worker, Place>();

export function connect(database: string, worker: WorkerOption, limits: Limits): Lease {
  if (worker === false) return here.lease(database, limits);
  if (worker === true) {
    common ??= behind(startWorker, () => {
      common = undefined;
    });
    return common.lease(database, limits);
  }
  if (typeof worker === "function") return behind(worker).lease(database, limits);
  let place = given.get(worker);
  if (place === undefined) given.set(worker, (place = behind(worker)));
  return place.lease(database, limits);
}

/** Written so that bundlers find the worker's file. */
function startWorker(): Worker {
  const worker = new Worker(new URL("./host.js", import.meta.url), { type: "module", name: "langgraph-checkpoint-indexeddb" });
  wakeStorage();
  return worker;
}

function behind(source: Worker | (() => Worker), onEmpty?: () => void): Place {
  const link = new WorkerLink(source);
  return new Place(
    (database) => (limits) => ({ engine: engineBehind(link, database, limits), ask: (method, request) => link.call(limits, database, method, request) }),
    () => {
      onEmpty?.();
      link.end();
    },
  );
}

/** The engine in this realm: its code is loaded when it is needed, and not where it is in the worker. */
function engineHere(database: string): Engine {
  let loading: Promise<Engine> | undefined;
  const load = async (): Promise<Engine> => {
    try {
      const { LocalEngine } = await import("../engine/index.ts");
      return new LocalEngine(database);
    } catch (cause) {
      loading = undefined;
      throw new WorkerStartError({ reason: "the code of the engine could not be loaded" }, { cause });
    }
  };
  return engineOf(async (method, request) => {
    if ((method === "close" || method === "suspend") && loading === undefined) return undefined;
    const engine = await (loading ??= load());
    return (engine[method] as (request: unknown) => Promise<unknown>)(request);
  });
}

function engineBehind(link: WorkerLink, database: string, limits: Limits): Engine {
  return engineOf((method, request) => (method === "close" || method === "suspend" ? link.leave(limits, database, method) : link.call(limits, database, method, request)));
}

function engineOf(call: (method: keyof Engine, request?: unknown) => Promise<unknown>): Engine {
  return Object.fromEntries(METHODS.map((method) => [method, (request?: unknown) => call(method, request)])) as unknown as Engine;
}
