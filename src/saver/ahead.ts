import type { HistoryAlong, HistoryReply } from "../engine/index.ts";
import type { Channel, CheckpointId, Namespace, ThreadId } from "../idb/index.ts";

/** How long a history waits to be asked for, ms. */
const KEPT_MS = 1000;

interface Place {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
  readonly id: CheckpointId | undefined;
}

/**
 * After a checkpoint LangGraph asks for the history of its delta channels. So that comes along with a checkpoint, and waits here
 * to be asked for: once, for a moment, and not beyond a write of this saver. Which channels these are LangGraph says by
 * asking; before the first time it is what is likely.
 */
export class Ahead {
  readonly #asked = new Set<Channel>();
  #writes = 0;
  #kept: (Place & { readonly reply: HistoryAlong; readonly until: number }) | undefined;

  /** What will be asked for. */
  get channels(): readonly Channel[] | "likely" {
    return this.#asked.size === 0 ? "likely" : [...this.#asked];
  }

  /** How many writes there were, to be told to {@link keep} what had been written when it was read. */
  get writes(): number {
    return this.#writes;
  }

  keep(place: Place, reply: HistoryAlong, writes: number): void {
    if (writes === this.#writes) this.#kept = { ...place, reply, until: performance.now() + KEPT_MS };
  }

  /** The history that waits, if it is the one of these channels. */
  take({ thread, namespace, id }: Place, channels: readonly Channel[]): HistoryReply | undefined {
    for (const channel of channels) this.#asked.add(channel);
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept === undefined || kept.thread !== thread || kept.namespace !== namespace || kept.id !== id) return undefined;
    const isSame = channels.length === kept.reply.channels.length && channels.every((channel) => kept.reply.channels.includes(channel));
    return isSame && performance.now() < kept.until ? kept.reply : undefined;
  }

  /** To be told of every write, which may change what the history is. */
  drop(): void {
    this.#writes++;
    this.#kept = undefined;
  }
}
