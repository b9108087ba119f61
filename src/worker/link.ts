import { type Remote, transfer, wrap } from "comlink";
import { fromEnvelope, InternalError, WorkerDiedError, WorkerStartError, WorkerTimeoutError } from "../errors/index.ts";
import { addCounts, type Counts } from "../idb/counts.ts";
import { type Address, type Answer, type Attached, buffersOf, type Host, nameOf } from "./protocol.ts";

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
  readonly #ready: Promise<true>;
  #isReady = false;
  failure: Error | undefined;

  constructor(worker: Worker, owned: boolean) {
    this.#worker = worker;
    this.#owned = owned;
    worker.addEventListener("error", this.#onError);
    worker.addEventListener("messageerror", this.#onMessageError);
    this.#remote = wrap<Host>(worker);
    this.#ready = this.#remote.ready();
    this.#ready.then(
      () => {
        this.#isReady = true;
      },
      () => undefined,
    );
  }

  /** Each call has the limits of who makes it. */
  async call({ start, call }: Limits, address: Address, method: string, request: unknown, attached: Attached): Promise<Answer> {
    if (!this.#isReady) {
      this.#await(this.#ready, start, (limit) => new WorkerStartError({ reason: `no answer within ${limit} ms` })).catch(() => undefined);
    }
    const handedOver = request === undefined ? request : transfer(request as object, buffersOf(request));
    const calling = this.#remote.call(address, method, handedOver, attached) as Promise<Answer>;
    return this.#await(calling, call, (limit) => new WorkerTimeoutError({ limit }));
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
  #running: Running | undefined;
  /** The databases that workers had open, so that one that is started anew does not take an emptied one for them. */
  readonly #generations = new Map<string, string>();

  constructor(source: Worker | (() => Worker)) {
    this.#given = typeof source === "function" ? undefined : source;
    this.#make = typeof source === "function" ? source : () => source;
  }

  async call(limits: Limits, address: Address, method: string, request?: unknown, counts?: Counts): Promise<unknown> {
    const name = nameOf(address);
    const generation = this.#generations.get(name);
    const began = performance.now();
    const attached = { isCounted: counts !== undefined, ...(generation === undefined ? {} : { generation }) };
    const answer = await this.#alive().call(limits, address, method, request, attached);
    if (answer.generation !== undefined) this.#generations.set(name, answer.generation);
    if ("error" in answer) throw fromEnvelope(answer.error);
    if (counts !== undefined && answer.counts !== undefined) {
      const elapsed = performance.now() - began;
      // Each realm has a clock of its own, and browsers round clocks: in the worker it may have taken longer than here.
      const storage = Math.min(answer.counts.storage, elapsed);
      const rebuild = Math.min(answer.counts.rebuild, elapsed - storage);
      addCounts(counts, { ...answer.counts, storage, rebuild, transfer: elapsed - storage - rebuild });
    }
    return answer.value;
  }

  /** Tells the engine to let go of a database, for now or for good; there is nothing to tell a worker that does not run. */
  async leave(limits: Limits, address: Address, method: "suspend" | "close"): Promise<void> {
    if (this.#running !== undefined && this.#running.failure === undefined) await this.call(limits, address, method);
    if (method === "close") this.#generations.delete(nameOf(address));
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
        this.#running = new Running(this.#make(), this.#given === undefined);
      } catch (cause) {
        throw new WorkerStartError({ reason: cause instanceof Error ? cause.message : String(cause) }, { cause });
      }
    }
    return this.#running;
  }
}
