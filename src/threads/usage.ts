import { threadId } from "./ids.ts";
import type { Storage } from "./storage.ts";

/** What a thread takes on disk, in bytes of its rows. */
export interface Usage {
  readonly checkpoints: number;
  /** Elements of lists and larger values, each stored once. */
  readonly content: number;
  /** Everything else: checkpoints, and what steps wrote. */
  readonly bookkeeping: number;
  /** The part of the bookkeeping that is what steps wrote. */
  readonly writes: number;
  /** What whole copies of every checkpoint would take. */
  readonly copies: number;
  /** The same as it grew: after each checkpoint, oldest first. `stored` leaves out what steps wrote; a `snapshot` holds the whole value of a delta channel. */
  readonly steps: readonly {
    readonly checkpoint: string;
    readonly content: number;
    readonly stored: number;
    readonly copies: number;
    readonly snapshot: boolean;
  }[];
}

const NOTHING: Usage = { checkpoints: 0, content: 0, bookkeeping: 0, writes: 0, copies: 0, steps: [] };

export async function usageOf({ engine }: Storage, id: string): Promise<Usage> {
  const reply = await engine.usage({ thread: threadId(id) });
  if (reply === undefined) return NOTHING;
  let [content, rows, copies] = [0, 0, 0];
  const steps = reply.steps.map(({ id: checkpoint, row, full, fresh, isSnapshot }) => {
    content += fresh;
    rows += row;
    copies += full;
    return { checkpoint, content, stored: content + rows, copies, snapshot: isSnapshot };
  });
  return { checkpoints: steps.length, content: reply.content, bookkeeping: reply.writes + rows, writes: reply.writes, copies, steps };
}
