import { CheckpointError } from "../errors/index.ts";
import type { Lease } from "./connect.ts";
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

/** What can be listened to. */
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
};

const WRITES = new Set(["put", "putWrites", "append", "step", "updateThread", "deleteThread", "repair"]);

/** What is known of the storage by how its calls end. Each saver and each store has its own. */
export class Health {
  #status: StorageStatus = { state: "idle" };
  readonly #listeners = { fault: new Set<(status: StorageStatus) => void>(), storage: new Set<(notice: StorageNotice) => void>() };
  readonly #space = new Space((notice) => tell(this.#listeners.storage, notice));

  get status(): StorageStatus {
    return this.#status;
  }

  on<T extends keyof StorageEvents>(type: T, listener: (event: StorageEvents[T]) => void): () => void {
    const listeners = this.#listeners[type] as Set<(event: StorageEvents[T]) => void>;
    const own = (event: StorageEvents[T]): void => listener(event);
    listeners.add(own);
    if (type === "storage") void this.#space.look();
    return () => void listeners.delete(own);
  }

  /** The same lease, with an eye on it. */
  over(lease: Lease): Lease {
    const { engine, ask } = lease;
    const seen = METHODS.map((method) => {
      const call = engine[method] as (request?: unknown) => Promise<unknown>;
      return [method, (request?: unknown) => this.#watch(method, call(request))] as const;
    });
    return {
      engine: Object.fromEntries(seen) as unknown as Lease["engine"],
      ...(ask === undefined ? {} : { ask: (method: string, request: object) => this.#watch(method, ask(method, request)) }),
      release: () => lease.release(),
    };
  }

  close(): void {
    this.#status = { state: "closed" };
    for (const listeners of Object.values(this.#listeners)) listeners.clear();
  }

  #watch<T>(method: string, call: Promise<T>): Promise<T> {
    call.then(
      () => this.#succeeded(method),
      (error: unknown) => this.#failed(error),
    );
    return call;
  }

  #succeeded(method: string): void {
    if (WRITES.has(method) && this.#listeners.storage.size > 0) this.#space.lookNowAndThen();
    const { state, fault } = this.#status;
    if (state === "closed" || state === "open") return;
    const until = fault === undefined ? "anything" : KINDS[fault.code]!.until;
    if (until === "anything" || (until === "write" ? WRITES.has(method) : method === until)) this.#become({ state: "open" });
  }

  #failed(error: unknown): void {
    if (!CheckpointError.is(error) || this.#status.state === "closed") return;
    const { code, facts, message } = error;
    if (code === "quota-exceeded" && this.#listeners.storage.size > 0) void this.#space.look();
    const kind = Object.hasOwn(KINDS, code) ? KINDS[code] : undefined;
    if (kind === undefined || this.#status.fault?.code === code) return;
    this.#become({ state: kind.state, fault: { code, facts, message, remedy: kind.remedy, since: Date.now() } });
  }

  #become(status: StorageStatus): void {
    const isNews = status.fault !== undefined || this.#status.fault !== undefined;
    this.#status = status;
    if (isNews) tell(this.#listeners.fault, status);
  }
}

/** A listener that throws is no reason for a call to fail, nor for the next listener not to hear. */
function tell<T>(listeners: ReadonlySet<(event: T) => void>, event: T): void {
  for (const listener of listeners) {
    try {
      listener(event);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
