import { lockName } from "./lock.ts";
import { prune } from "./prune.ts";
import type { Retention, RetentionPolicy } from "./retention.ts";
import type { Storage } from "./storage.ts";
import { rejection } from "./upkeep.ts";

const HOUR = 3_600_000;
const FIRST_MS = 10_000;

/** How long a page that is never idle puts it off. */
const BUSY_MS = 5_000;

/** Where nobody says when there is time. */
const REST_MS = 20;

/** What a policy is applied to, until the signal. */
class Keeper {
  readonly #retention: Retention;
  readonly #storage: Storage;
  readonly #signal: AbortSignal;
  readonly #ended: Promise<void>;

  constructor(retention: Retention, storage: Storage, signal: AbortSignal) {
    this.#retention = retention;
    this.#storage = storage;
    this.#signal = signal;
    this.#ended = new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  async run(): Promise<void> {
    const { every = HOUR, onError = rejection } = this.#retention;
    for (let wait = Math.min(every, FIRST_MS); ; wait = every) {
      await this.#sleep(wait);
      if (this.#signal.aborted) return;
      try {
        await this.#alone(lockName(this.#storage.options.name), () => this.#apply());
      } catch (error) {
        if (!this.#signal.aborted) onError(error);
      }
    }
  }

  async #apply(): Promise<void> {
    const next = async (thread: string, work: () => Promise<void>) => {
      await this.#idle();
      await this.#alone(lockName(this.#storage.options.name, thread), work);
    };
    const report = await prune(this.#storage, { ...policyOf(this.#retention), signal: this.#signal }, { next });
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

/**
 * Applies a policy of retention from time to time: in one tab at a time where there are Web Locks, thread by thread, each when the page is
 * idle, and leaving out those whose lock somebody holds.
 */
export function keepUp(retention: Retention, storage: Storage, signal: AbortSignal): Promise<void> {
  return new Keeper(retention, storage, signal).run();
}

function policyOf({ keepLast, keepFor, keepTips, maxBytes }: Retention): RetentionPolicy {
  return {
    ...(keepLast === undefined ? {} : { keepLast }),
    ...(keepFor === undefined ? {} : { keepFor }),
    ...(keepTips === undefined ? {} : { keepTips }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}
