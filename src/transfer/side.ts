import type { BaseCheckpointSaver, ChannelVersions, CheckpointTuple, DeltaChannelHistory, PendingWrite } from "@langchain/langgraph-checkpoint";
import { TransferFailedError } from "../errors/index.ts";

/** What a transfer needs of a checkpointer: any `BaseCheckpointSaver` has it. */
export type TransferSaver = Pick<BaseCheckpointSaver, "getDeltaChannelHistory" | "getTuple" | "list" | "put" | "putWrites" | "serde">;

/** Where a checkpoint is within its thread. */
export interface Place {
  readonly namespace: string;
  readonly id: string;
}

/** One end of a transfer: a thread in a saver, whose failures say where they were. */
export class Side {
  readonly #end: "from" | "to";
  readonly #saver: TransferSaver;
  readonly #thread: string;

  constructor(end: "from" | "to", saver: TransferSaver, thread: string) {
    this.#end = end;
    this.#saver = saver;
    this.#thread = thread;
  }

  async *list(): AsyncGenerator<CheckpointTuple> {
    try {
      yield* this.#saver.list({ configurable: { thread_id: this.#thread } });
    } catch (cause) {
      throw this.#failed("list", undefined, cause);
    }
  }

  get(place: Place): Promise<CheckpointTuple | undefined> {
    return this.#call("getTuple", place, () => this.#saver.getTuple(this.#config(place.namespace, place.id)));
  }

  put(place: Place, parent: string | undefined, { checkpoint, metadata }: CheckpointTuple, newVersions: ChannelVersions): Promise<unknown> {
    return this.#call("put", place, () => this.#saver.put(this.#config(place.namespace, parent), checkpoint, metadata!, newVersions));
  }

  putWrites(place: Place, writes: PendingWrite[], task: string, path: string): Promise<void> {
    return this.#call("putWrites", place, () => this.#saver.putWrites(this.#config(place.namespace, place.id), writes, task, path));
  }

  history(place: Place, channels: string[]): Promise<Record<string, DeltaChannelHistory>> {
    return this.#call("getDeltaChannelHistory", place, () =>
      this.#saver.getDeltaChannelHistory({ config: this.#config(place.namespace, place.id), channels }),
    );
  }

  /** A value as it comes back from here. */
  kept(place: Place, value: unknown): Promise<unknown> {
    return this.#call("serde", place, async () => {
      const [type, bytes] = await this.#saver.serde.dumpsTyped(value);
      return this.#saver.serde.loadsTyped(type, bytes) as unknown;
    });
  }

  async #call<T>(operation: string, place: Place, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (cause) {
      throw this.#failed(operation, place.id, cause);
    }
  }

  #failed(operation: string, checkpoint: string | undefined, cause: unknown): TransferFailedError {
    return new TransferFailedError({ end: this.#end, operation, thread: this.#thread, ...(checkpoint === undefined ? {} : { checkpoint }) }, { cause });
  }

  #config(namespace: string, id: string | undefined): { configurable: Record<string, string> } {
    return { configurable: { thread_id: this.#thread, checkpoint_ns: namespace, ...(id === undefined ? {} : { checkpoint_id: id }) } };
  }
}
