import type { Channel, CheckpointId, Namespace, Sealed, TaskId, ThreadKey } from "../idb/index.ts";
import { packr } from "../msgpack/index.ts";
import { type PackedId, type PackedRef, packId, packRef, type Ref, unpackId, unpackRef } from "./ref.ts";
import { seal, unseal } from "./seal.ts";

export interface Write {
  readonly index: number;
  readonly channel: Channel;
  /** Of the task that wrote it. */
  readonly path: string;
  readonly ref: Ref;
}

/** What was written on one checkpoint, by task. */
export type Writes = ReadonlyMap<TaskId, readonly Write[]>;

type Identity = readonly [ThreadKey, Namespace, CheckpointId, TaskId];

type PackedWrite = [index: number, channel: Channel, ref: PackedRef, path?: string];

/** The writes of one task mostly share their path, which the row holds once. */
function packTask(writes: readonly Write[]): [path: string, writes: PackedWrite[]] {
  const shared = writes[0]?.path ?? "";
  return [
    shared,
    writes.map(({ index, channel, path, ref }) => (path === shared ? [index, channel, packRef(ref)] : [index, channel, packRef(ref), path])),
  ];
}

function unpackTask([shared, writes]: ReturnType<typeof packTask>): Write[] {
  return writes.map(([index, channel, ref, path]) => ({ index, channel, path: path ?? shared, ref: unpackRef(ref) }));
}

export function packWrites(identity: Identity, writes: readonly Write[]): Sealed {
  return seal(identity, packr.pack(packTask(writes)));
}

export function unpackWrites(identity: Identity, sealed: unknown): Write[] {
  return unpackTask(packr.unpack(unseal("writes", identity, sealed)) as ReturnType<typeof packTask>);
}

/** The writes of consecutive checkpoints of a branch, by depth. */
export type Block = ReadonlyMap<number, Writes>;

type PackedBlock = [names: string[], tasks: (PackedId | number | PackedRef)[][]];

/** Channels and paths repeat from step to step: the row holds each once, and says which. */
export function packBlock(key: readonly (string | number)[], block: Block): Sealed {
  const names = new Map<string, number>();
  const nameAt = (name: string) => {
    const known = names.get(name) ?? names.size;
    names.set(name, known);
    return known;
  };
  const tasks = [...block].flatMap(([depth, byTask]) =>
    [...byTask].map(([task, writes]) => [
      depth,
      packId(task),
      ...writes.flatMap(({ index, channel, path, ref }) => [index, nameAt(channel), nameAt(path), packRef(ref)]),
    ]),
  );
  return seal(key, packr.pack([[...names.keys()], tasks] satisfies PackedBlock));
}

export function unpackBlock(key: readonly (string | number)[], sealed: unknown, store: "blocks" | "pasts" = "blocks"): Map<number, Map<TaskId, Write[]>> {
  const [names, tasks] = packr.unpack(unseal(store, key, sealed)) as PackedBlock;
  const block = new Map<number, Map<TaskId, Write[]>>();
  for (const [depth, task, ...flat] of tasks as [number, PackedId, ...(number | PackedRef)[]][]) {
    const writes: Write[] = [];
    for (let at = 0; at < flat.length; at += 4) {
      const [index, channel, path, ref] = flat.slice(at, at + 4) as [number, number, number, PackedRef];
      writes.push({ index, channel: names[channel] as Channel, path: names[path]!, ref: unpackRef(ref) });
    }
    const byTask = block.get(depth) ?? new Map<TaskId, Write[]>();
    block.set(depth, byTask.set(unpackId<TaskId>(task), writes));
  }
  return block;
}
