import { CheckpointError } from "../errors/index.ts";
import type { Counts } from "../idb/counts.ts";
import type { Lease } from "./connect.ts";
import type { Listeners } from "./listeners.ts";
import { METHODS } from "./protocol.ts";
import { Space, type StorageNotice } from "./space.ts";

/**
 * What helps against a fault: to try `"again"`; to free `"space"`; to close other `"tabs"` of the site; to `"reload"` the page; to
 * `"repair"` the database; or to change the `"setup"`, the options or how the page is served.
 */
export type Remedy = "again" | "space" | "tabs" | "reload" | "repair" | "setup";

/** What is wrong with the storage. */
export interface StorageFault {
  /** Of the error, as in the table of errors. */
  readonly code: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** What happened, and what to do, in a sentence or two. */
  readonly message: string;
  readonly remedy: Remedy;
  /** When it was first noticed, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * How the storage is. `"idle"`: not used yet. `"open"`: all is well. `"degraded"`: something does not work, and the rest does.
 * `"failed"`: nothing works. `"closed"`: by the application. `fault` says why, if it is degraded or failed.
 */
export interface StorageStatus {
  readonly state: "idle" | "open" | "degraded" | "failed" | "closed";
  readonly fault?: StorageFault;
}

/** What can be heard of the storage. */
export interface StorageEvents {
  /** The status has changed by a fault: there is one, or another, or it is over, and `state` is `"open"`. */
  readonly fault: StorageStatus;
  /** Space has become scarce, or is there again. */
  readonly storage: StorageNotice;
}

interface Kind {
  readonly state: "degraded" | "failed";
  readonly remedy: Remedy;
  /** The success of what shows that it is over. */
  readonly until: "anything" | "write" | "repair";
}

/** The codes that say something about the storage, and not about a call. */
const KINDS: Readonly<Record<string, Kind>> = {
  "quota-exceeded": { state: "degraded", remedy: "space", until: "write" },
  "transaction-failed": { state: "degraded", remedy: "again", until: "anything" },
  timeout: { state: "degraded", remedy: "tabs", until: "anything" },
  damaged: { state: "degraded", remedy: "repair", until: "repair" },
  "worker-died": { state: "degraded", remedy: "again", until: "anything" },
  "worker-timeout": { state: "degraded", remedy: "again", until: "anything" },
  "worker-start": { state: "failed", remedy: "setup", until: "anything" },
  "open-failed": { state: "failed", remedy: "reload", until: "anything" },
  "open-blocked": { state: "failed", remedy: "tabs", until: "anything" },
  "database-lost": { state: "failed", remedy: "reload", until: "anything" },
  "unsupported-format": { state: "failed", remedy: "reload", until: "anything" },
  "foreign-database": { state: "failed", remedy: "setup", until: "anything" },
  "storage-unavailable": { state: "failed", remedy: "setup", until: "anything" },
  "encryption-required": { state: "failed", remedy: "setup", until: "anything" },
  "not-encrypted": { state: "failed", remedy: "setup", until: "anything" },
  "wrong-key": { state: "failed", remedy: "setup", until: "anything" },
  "crypto-unavailable": { state: "failed", remedy: "setup", until: "anything" },
};

const WRITES = new Set(["put", "putWrites", "append", "step", "updateThread", "deleteThread", "copyThread", "import", "repair"]);

/** What is known of the storage by how its calls end. Each saver and each store has its own. */
export class Health {
  #status: StorageStatus = { state: "idle" };
  readonly #listeners: Listeners<StorageEvents>;
  readonly #space: Space;

  constructor(listeners: Listeners<StorageEvents>) {
    this.#listeners = listeners;
    this.#space = new Space((notice) => listeners.tell("storage", notice));
  }

  get status(): StorageStatus {
    return this.#status;
  }

  /** Somebody wants to be told of it. */
  lookAtSpace(): void {
    void this.#space.look();
  }

  /** The same lease, with an eye on it. */
  over(lease: Lease): Lease {
    const { engine, ask } = lease;
    const seen = METHODS.map((method) => {
      const call = engine[method] as (request?: unknown, counts?: Counts) => Promise<unknown>;
      return [method, (request?: unknown, counts?: Counts) => this.#watch(method, call(request, counts))] as const;
    });
    return {
      engine: Object.fromEntries(seen) as unknown as Lease["engine"],
      ...(ask === undefined ? {} : { ask: (method: string, request: object, counts?: Counts) => this.#watch(method, ask(method, request, counts)) }),
      release: () => lease.release(),
    };
  }

  close(): void {
    this.#status = { state: "closed" };
  }

  #watch<T>(method: string, call: Promise<T>): Promise<T> {
    call.then(
      () => this.#succeeded(method),
      (error: unknown) => this.#failed(error),
    );
    return call;
  }

  #succeeded(method: string): void {
    if (WRITES.has(method) && this.#listeners.has("storage")) this.#space.lookNowAndThen();
    const { state, fault } = this.#status;
    if (state === "closed" || state === "open") return;
    const until = fault === undefined ? "anything" : KINDS[fault.code]!.until;
    if (until === "anything" || (until === "write" ? WRITES.has(method) : method === until)) this.#become({ state: "open" });
  }

  #failed(error: unknown): void {
    if (!CheckpointError.is(error) || this.#status.state === "closed") return;
    const { code, facts, message } = error;
    if (code === "quota-exceeded" && this.#listeners.has("storage")) void this.#space.look();
    const kind = Object.hasOwn(KINDS, code) ? KINDS[code] : undefined;
    if (kind === undefined || this.#status.fault?.code === code) return;
    this.#become({ state: kind.state, fault: { code, facts, message, remedy: kind.remedy, since: Date.now() } });
  }

  #become(status: StorageStatus): void {
    const isNews = status.fault !== undefined || this.#status.fault !== undefined;
    this.#status = status;
    if (isNews) this.#listeners.tell("fault", status);
  }
}
