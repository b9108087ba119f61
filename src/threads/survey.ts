import type { HeadsReply } from "../engine/index.ts";
import type { CheckpointId, Namespace, ThreadId } from "../idb/index.ts";
import { Decoder } from "./decoder.ts";
import { timestampOf } from "./head.ts";
import type { Storage } from "./storage.ts";

/** A checkpoint, without what it holds. */
export interface Surveyed {
  readonly namespace: Namespace;
  readonly id: CheckpointId;
  readonly parent?: CheckpointId;
  /** Milliseconds since 1970; NaN if its time is none. */
  readonly time: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** All checkpoints of a thread. */
export async function survey({ engine, options: { codec } }: Storage, thread: ThreadId): Promise<Surveyed[]> {
  const found: Surveyed[] = [];
  const decoder = new Decoder(codec, []);
  let next: HeadsReply["next"];
  do {
    const page: HeadsReply = await engine.heads({ thread, ...(next === undefined ? {} : { after: next }) });
    for (const { head: bytes, ...each } of page.heads) {
      const head = await decoder.head(bytes);
      found.push({ ...each, time: Date.parse(timestampOf(head)), metadata: head.metadata });
    }
    next = page.next;
  } while (next !== undefined);
  return found;
}
