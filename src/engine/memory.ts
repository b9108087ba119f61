import type { CheckpointRow } from "./checkpoint-row.ts";
import type { Past } from "./past.ts";
import type { Ref } from "./ref.ts";
import type { Write, Writes } from "./writes-row.ts";

/* About what decoded rows take in memory, in bytes: enough to tell when there are too many of them. */

const OBJECT = 64;
/** An id in a list, as text. */
export const ID_BYTES = 80;

function refBytes(ref: Ref | undefined): number {
  if (ref === undefined) return 0;
  return OBJECT + ("bytes" in ref ? ref.bytes.length + 8 * ref.ends.length : OBJECT * ref.pieces.length);
}

export function checkpointBytes({ head, channels }: CheckpointRow): number {
  return channels.reduce((sum, { ref }) => sum + OBJECT + refBytes(ref), 2 * OBJECT + head.length);
}

export function pastBytes({ seeds, steps }: Past): number {
  let sum = OBJECT;
  for (const ref of seeds.values()) sum += OBJECT + refBytes(ref);
  for (const step of steps) for (const [, { ref }] of step) sum += OBJECT + ID_BYTES + refBytes(ref);
  return sum;
}

function taskBytes(writes: readonly Write[]): number {
  return writes.reduce((sum, { ref }) => sum + OBJECT + refBytes(ref), OBJECT + ID_BYTES);
}

export function writesBytes(tasks: Writes): number {
  let sum = OBJECT;
  for (const writes of tasks.values()) sum += taskBytes(writes);
  return sum;
}
