import { type Remote, transfer, wrap } from "comlink";
import { fromEnvelope, InternalError, WorkerDiedError, WorkerStartError, WorkerTimeoutError } from "../errors/index.ts";
import { addCounts, type Counts } from "../idb/counts.ts";
import { type Address, type Answer, buffersOf, type Host } from "./protocol.ts";

/** A page that slept finds a limit passed before it has seen the answers that came meanwhile. */
const GRACE_MS = 500;

/** Milliseconds. */
export interface Limits {
  /** For the worker to answer for the first time. */
  readonly start: number;
  /** For any one answer. */
  readonly call: number;
}

/**
 * One running worker, and the calls that wait for it. Comlink leaves a call pending for ever when the worker is gone: here
 * an error of the worker, or a limit that passes, rejects every pending call and ends the worker. What comes after that is
 * up to {@link WorkerLink}.
 */
class Running {
  readonly #worker: Worker;
  readonly #owned: boolean;
  /** Held for as long as the worker: a proxy that is collected makes Comlink stop serving. */
  readonly #remote: Remote<Host>;
  readonly #pending = new Set<(reason: Error) => void>();
  readonly #limits: Limits;
  #isReady = false;
  failure: Error | undefined;

  constructor(worker: Worker, owned: boolean, limits: Limits) {
    this.#worker = worker;
    this.#owned = owned;
    this.#limits = limits;
    worker.addEventListener("error", this.#onError);
    worker.addEventListener("messageerror", this.#onMessageError);
    this.#remote = wrap<Host>(worker);
    void this.#await(this.#remote.ready(), limits.start, (limit) => new WorkerStartError({ reason: `no answer within ${limit} ms` })).then(
      () => {
        this.#isReady = true;
      },
      () => undefined,
    );
  }

  async call(address: Address, method: string, request: unknown, counts?: Counts): Promise<unknown> {
    const began = performance.now();
    const handedOver = request === undefined ? request : transfer(request as object, buffersOf(request));
    const calling = this.#remote.call(address, method, handedOver, counts !== undefined) as Promise<Answer>;
    const answer = await this.#await(calling, this.#limits.call, (limit) => new WorkerTimeoutError({ limit }));
    if ("error" in answer) throw fromEnvelope(answer.error);
    if (counts !== undefined && answer.counts !== undefined) {
      addCounts(counts, answer.counts);
      counts.transfer += performance.now() - began - answer.counts.storage - answer.counts.rebuild;
    }
    return answer.value;
  }

  /** Only for a worker that is ours, or failed. */
  end(): void {
    this.#worker.removeEventListener("error", this.#onError);
    this.#worker.removeEventListener("messageerror", this.#onMessageError);
    if (this.#owned) this.#worker.terminate();
  }

  #await<T>(answer: Promise<T>, limit: number, tooLate: (limit: number) => Error): Promise<T> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(timer);
        this.#pending.delete(fail);
        end();
      };
      const fail = (reason: Error) => settle(() => reject(reason));
      let timer = setTimeout(() => {
        timer = setTimeout(() => this.#fail(tooLate(limit)), GRACE_MS);
      }, limit);
      this.#pending.add(fail);
      answer.then(
        (value) => settle(() => resolve(value)),
        (cause: unknown) => fail(new InternalError({ reason: String(cause) }, { cause })),
      );
    });
  }

  #fail(reason: Error): void {
    if (this.failure !== undefined) return;
    this.failure = reason;
    for (const fail of [...this.#pending]) fail(reason);
    this.end();
  }

  readonly #onError = (event: ErrorEvent): void => {
    event.preventDefault();
    const reason = event.message || "its file could not be loaded";
    this.#fail(this.#isReady ? new WorkerDiedError({ reason }) : new WorkerStartError({ reason }));
  };

  readonly #onMessageError = (): void => this.#fail(new WorkerDiedError({ reason: "a message could not be read" }));
}

/**
 * A worker that is started at the first call, and started anew at the first call after it failed. One that the caller made
 * cannot be started anew: after it failed every call rejects with that failure.
 */
export class WorkerLink {
  readonly #given: Worker | undefined;
  readonly #make: () => Worker;
  readonly #limits: Limits;
  #running: Running | undefined;

  constructor(source: Worker | (() => Worker), limits: Limits) {
    this.#given = typeof source === "function" ? undefined : source;
    this.#make = typeof source === "function" ? source : () => source;
    this.#limits = limits;
  }

  async call(address: Address, method: string, request?: unknown, counts?: Counts): Promise<unknown> {
    return this.#alive().call(address, method, request, counts);
  }

  /** Tells the engine that a database is not used any more; there is nothing to tell a worker that does not run. */
  async closeDatabase(address: Address): Promise<void> {
    if (this.#running !== undefined && this.#running.failure === undefined) await this.#running.call(address, "close", undefined);
  }

  /** Ends the worker, if it is ours. */
  end(): void {
    if (this.#given !== undefined) return;
    this.#running?.end();
    this.#running = undefined;
  }

  #alive(): Running {
    if (this.#running?.failure !== undefined) {
      if (this.#given !== undefined) throw this.#running.failure;
      this.#running = undefined;
    }
    if (this.#running === undefined) {
      try {
        this.#running = new Running(this.#make(), this.#given === undefined, this.#limits);
      } catch (cause) {
        throw new WorkerStartError({ reason: cause instanceof Error ? cause.message : String(cause) }, { cause });
      }
    }
    return this.#running;
  }
}
