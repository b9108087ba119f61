import { type Change, channelOfChanges } from "../engine/changes.ts";

/** What somebody changed, in this tab or another. */
export interface ThreadChange {
  readonly thread: string;
  /**
   * A `"checkpoint"` was stored; `"writes"` were, by a run that is under way; title, metadata or pin of the `"thread"` changed; checkpoints were `"removed"`;
   * it was `"deleted"`, or `"imported"`: then any of it may be new.
   */
  readonly kind: Change["kind"];
  /** Of a subgraph, or "". */
  readonly namespace?: string;
  readonly checkpoint?: string;
}

export interface WatchOptions {
  /** Only changes of this thread. Default: of all. */
  readonly thread?: string;
}

/** Those who watch one database. */
export class Watchers {
  readonly #database: string;
  readonly #open = new Set<BroadcastChannel>();

  constructor(database: string) {
    this.#database = database;
  }

  watch(listener: (change: ThreadChange) => void, { thread }: WatchOptions): () => void {
    const channel = new BroadcastChannel(channelOfChanges(this.#database));
    this.#open.add(channel);
    channel.addEventListener("message", ({ data }: MessageEvent<readonly ThreadChange[]>) => {
      for (const change of data) if (thread === undefined || change.thread === thread) listener(change);
    });
    return () => {
      channel.close();
      this.#open.delete(channel);
    };
  }

  end(): void {
    for (const channel of this.#open) channel.close();
    this.#open.clear();
  }
}
