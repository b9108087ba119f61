import type { Counts, Engine } from "../engine/index.ts";
import { WorkerStartError } from "../errors/index.ts";
import { wakeStorage } from "../idb/wake.ts";
import { type Limits, WorkerLink } from "./link.ts";
import { type Address, METHODS, nameOf } from "./protocol.ts";
import { whenPutAside } from "./put-aside.ts";

/** The use of an engine, until it is released. */
export interface Lease {
  readonly engine: Engine;
  /** Asks the worker that the engine runs in for something else. Absent where the engine is in this realm. */
  readonly ask?: (method: string, request: object, counts?: Counts) => Promise<unknown>;
  /** Waits for what was asked. The last one to leave closes the database, and ends the worker if it is ours. */
  release(): Promise<void>;
}

/** `true`: this package's own worker. `false`: no worker. A `Worker`, or a function that makes one: the application's. */
export type WorkerOption = boolean | Worker | (() => Worker);

type Made = Pick<Lease, "engine" | "ask">;

/** The engines of one place, and who uses them. Everyone who names the same database there, with the same key or none, shares its engine. */
class Place {
  readonly #engines = new Map<string, { readonly use: (limits: Limits) => Made; leases: number }>();
  readonly #make: (address: Address) => (limits: Limits) => Made;
  readonly #onEmpty: () => void;
  #leases = 0;

  /** @param make how to use a database here, within the limits of whoever uses it */
  constructor(make: (address: Address) => (limits: Limits) => Made, onEmpty: () => void) {
    this.#make = make;
    this.#onEmpty = onEmpty;
  }

  lease(address: Address, limits: Limits): Lease {
    const name = nameOf(address);
    const shared = this.#engines.get(name) ?? { use: this.#make(address), leases: 0 };
    this.#engines.set(name, shared);
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
          this.#engines.delete(name);
          await made.engine.close();
        } finally {
          if (--this.#leases === 0) this.#onEmpty();
        }
      },
    };
  }
}

const here = new Place((address) => {
  const engine = engineHere(address);
  return () => ({ engine });
}, () => undefined);
/** This package's own worker: one for all who do not say otherwise. */
let common: Place | undefined;
const given = new WeakMap<Worker, Place>();

/** @param key of an encrypted database */
export function connect(database: string, worker: WorkerOption, limits: Limits, key?: CryptoKey): Lease {
  const address: Address = { database, ...(key === undefined ? {} : { encryption: { key, number: numberOf(key) } }) };
  if (worker === false) return here.lease(address, limits);
  if (worker === true) {
    common ??= behind(startWorker, () => {
      common = undefined;
    });
    return common.lease(address, limits);
  }
  if (typeof worker === "function") return behind(worker).lease(address, limits);
  let place = given.get(worker);
  if (place === undefined) given.set(worker, (place = behind(worker)));
  return place.lease(address, limits);
}

const numbers = new WeakMap<CryptoKey, number>();
let numbered = 0;

function numberOf(key: CryptoKey): number {
  const number = numbers.get(key) ?? ++numbered;
  numbers.set(key, number);
  return number;
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
    (address) => (limits) => ({ engine: engineBehind(link, address, limits), ask: (method, request, counts) => link.call(limits, address, method, request, counts) }),
    () => {
      onEmpty?.();
      link.end();
    },
  );
}

/** The engine in this realm: its code is loaded when it is needed, and not where it is in the worker. */
function engineHere({ database, encryption }: Address): Engine {
  let loading: Promise<Engine> | undefined;
  const load = async (): Promise<Engine> => {
    try {
      const { LocalEngine } = await import("../engine/index.ts");
      return new LocalEngine(database, encryption === undefined ? {} : { key: encryption.key });
    } catch (cause) {
      loading = undefined;
      throw new WorkerStartError({ reason: "the code of the engine could not be loaded" }, { cause });
    }
  };
  return engineOf(async (method, request, counts) => {
    if ((method === "close" || method === "suspend") && loading === undefined) return undefined;
    const engine = await (loading ??= load());
    return (engine[method] as (request: unknown, counts?: Counts) => Promise<unknown>)(request, counts);
  });
}

function engineBehind(link: WorkerLink, address: Address, limits: Limits): Engine {
  return engineOf((method, request, counts) => (method === "close" || method === "suspend" ? link.leave(limits, address, method) : link.call(limits, address, method, request, counts)));
}

function engineOf(call: (method: keyof Engine, request?: unknown, counts?: Counts) => Promise<unknown>): Engine {
  return Object.fromEntries(METHODS.map((method) => [method, (request?: unknown, counts?: Counts) => call(method, request, counts)])) as unknown as Engine;
}
