import { DamagedError } from "../errors/index.ts";
import { type Channel, type CheckpointId, type Namespace, ranges, type Reading, type Sealed, type TaskId, type ThreadKey } from "../idb/index.ts";
import type { Ref } from "./ref.ts";
import { type Block, packBlock, SEEDS, unpackBlock, type Write } from "./writes-row.ts";

/** The writes of one superstep. */
export type StepOfPast = readonly (readonly [TaskId, Write])[];

/**
 * What the history of a checkpoint was when its ancestors were removed: of each channel the nearest value that one of them
 * stored, and the writes since, in steps, oldest first. All of it refers to content of the namespace.
 */
export interface Past {
  readonly seeds: ReadonlyMap<Channel, Ref>;
  readonly steps: readonly StepOfPast[];
}

type Identity = readonly [ThreadKey, Namespace, CheckpointId];

const ROW_BYTES = 60_000;

/** About what a write takes in a row, besides bytes of its own. */
const WRITE_BYTES = 48;

const NO_TASK = "" as TaskId;

/** @param first how many rows there are already: of what came before these steps */
export function packPast([thread, namespace, id]: Identity, past: Past, first = 0): Sealed[] {
  return inParts(past).map((block, part) => packBlock([thread, namespace, id, first + part], block));
}

function inParts({ seeds, steps }: Past): Block[] {
  const first = new Map<number, Map<TaskId, Write[]>>();
  if (seeds.size > 0) first.set(SEEDS, new Map([[NO_TASK, [...seeds].map(([channel, ref], index): Write => ({ index, channel, path: "", ref }))]]));
  const parts = [first];
  let size = sizeOf([...(first.get(SEEDS)?.get(NO_TASK) ?? [])]);
  for (const [number, step] of steps.entries()) {
    const bytes = sizeOf(step.map(([, write]) => write));
    if (size > 0 && size + bytes > ROW_BYTES) {
      parts.push(new Map());
      size = 0;
    }
    size += bytes;
    const byTask = new Map<TaskId, Write[]>();
    for (const [task, write] of step) byTask.set(task, [...(byTask.get(task) ?? []), write]);
    parts.at(-1)!.set(number, byTask);
  }
  return parts.filter((part) => part.size > 0);
}

function sizeOf(writes: readonly Write[]): number {
  return writes.reduce((sum, { ref }) => sum + WRITE_BYTES + ("bytes" in ref ? ref.bytes.length : 8 * ref.pieces.length), 0);
}

/**
 * @param count how many rows the checkpoint says there are
 * @throws DamagedError also if not all of them are there
 */
export function unpackPast([thread, namespace, id]: Identity, rows: readonly unknown[], count: number): Past {
  if (rows.length !== count) throw new DamagedError({ store: "pasts", key: JSON.stringify([thread, namespace, id]) });
  const seeds = new Map<Channel, Ref>();
  const steps: StepOfPast[] = [];
  for (const [part, row] of rows.entries()) {
    for (const [number, byTask] of unpackBlock([thread, namespace, id, part], row, "pasts")) {
      const step = [...byTask].flatMap(([task, writes]) => writes.map((write) => [task, write] as const));
      if (number === SEEDS) for (const [, { channel, ref }] of step) seeds.set(channel, ref);
      else steps.push(step);
    }
  }
  return { seeds, steps };
}

export async function readPast(tx: Reading, [thread, namespace, id]: Identity, count: number): Promise<Past> {
  return unpackPast([thread, namespace, id], await tx.objectStore("pasts").getAll(ranges.under(thread, namespace, id)), count);
}
