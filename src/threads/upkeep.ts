import { type PruneReport, requirePolicy, type RetentionPolicy } from "./retention.ts";
import type { Storage } from "./storage.ts";
import { loadPruning } from "./load-pruning.ts";
import { lockName } from "./lock.ts";

/** A policy that is applied by itself, when there is time. */
export interface Retention extends RetentionPolicy {
  /** Milliseconds from one time to the next. Default: an hour. The first is within ten seconds after the first use. */
  readonly every?: number;
  /** Told what went, each time that something did. */
  readonly onPruned?: (report: PruneReport) => void;
  /** Told why it could not be applied; it is tried again the next time. Default: an unhandled rejection, for the page's own reporting to see. */
  readonly onError?: (error: unknown) => void;
}

const HOUR = 3_600_000;
const FIRST_MS = 10_000;

/** How long a page that is never idle puts it off. */
const BUSY_MS = 5_000;

/** Where nobody says when there is time. */
const REST_MS = 20;

/**
 * Applies a policy of retention from time to time: in one tab at a time where there are Web Locks, thread by thread, each when the page is
 * idle, and leaving out those whose lock somebody holds.
 */
export class Upkeep {
  readonly #retention: Retention;
  readonly #storage: Storage;
  readonly #end = new AbortController();
  readonly #ended: Promise<void>;
  #hasBegun = false;

  /** @throws InvalidConfigError */
  constructor(retention: Retention, storage: Storage) {
    requirePolicy(retention);
    this.#retention = retention;
    this.#storage = storage;
    const { signal } = this.#end;
    this.#ended = new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }

  /** To be called at each use: the first one counts. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    void this.#run();
  }

  end(): void {
    this.#end.abort();
  }

  async #run(): Promise<void> {
    const { every = HOUR, onError = reject } = this.#retention;
    for (let wait = Math.min(every, FIRST_MS); ; wait = every) {
      await this.#sleep(wait);
      if (this.#end.signal.aborted) return;
      try {
        await this.#alone(lockName(this.#storage.options.name), () => this.#apply());
      } catch (error) {
        if (!this.#end.signal.aborted) onError(error);
      }
    }
  }

  async #apply(): Promise<void> {
    const { prune } = await loadPruning();
    const next = async (thread: string, work: () => Promise<void>) => {
      await this.#idle();
      await this.#alone(lockName(this.#storage.options.name, thread), work);
    };
    const report = await prune(this.#storage, { ...policyOf(this.#retention), signal: this.#end.signal }, { next });
    if (report.threads.length > 0) this.#retention.onPruned?.(report);
  }

  /** If nobody else holds the lock. It is not held for longer than this goes on, whatever `work` waits for. */
  async #alone(name: string, work: () => Promise<void>): Promise<void> {
    const locks = (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
    if (locks === undefined) await work();
    else await locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? undefined : Promise.race([work(), this.#ended])));
  }

  #idle(): Promise<void> {
    if (typeof requestIdleCallback !== "function") return this.#sleep(REST_MS);
    return new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: BUSY_MS }));
  }

  async #sleep(milliseconds: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const slept = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
      (timer as { unref?: () => void }).unref?.(); // In Node it would keep the process from ending.
    });
    await Promise.race([slept, this.#ended]);
    clearTimeout(timer);
  }
}

function policyOf({ keepLast, keepFor, keepTips, maxBytes }: Retention): RetentionPolicy {
  return {
    ...(keepLast === undefined ? {} : { keepLast }),
    ...(keepFor === undefined ? {} : { keepFor }),
    ...(keepTips === undefined ? {} : { keepTips }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}

function reject(error: unknown): void {
  void Promise.reject(error);
}
