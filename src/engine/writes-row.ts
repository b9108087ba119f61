import type { Channel, CheckpointId, Namespace, Sealed, TaskId, ThreadKey } from "../idb/index.ts";
import { packr } from "../msgpack/index.ts";
import { type PackedId, packId, unpackId } from "./packed-id.ts";
import { type PackedRef, packRef, type Ref, unpackRef } from "./ref.ts";
import { seal, unseal } from "./seal.ts";
import { groups, list, refuse, text, wellFormed, whole } from "./well-formed.ts";

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

function unpackTask(packed: unknown): Write[] {
  const [shared, writes] = list(packed);
  return list(writes).map((write) => {
    const [index, channel, ref, path] = list(write);
    return { index: indexOf(index), channel: text(channel) as Channel, path: text(path ?? shared), ref: unpackRef(ref) };
  });
}

/** Special writes have indexes below zero. */
function indexOf(index: unknown): number {
  return Number.isSafeInteger(index) ? (index as number) : refuse("the index of a write");
}

export function packWrites(identity: Identity, writes: readonly Write[]): Sealed {
  return seal(identity, packr.pack(packTask(writes)));
}

export function unpackWrites(identity: Identity, sealed: unknown): Write[] {
  const body = unseal("writes", identity, sealed);
  return wellFormed("writes", identity, () => unpackTask(packr.unpack(body)));
}

/** Of a past, which is packed like a block with steps for depths: where no step is, the stored values that it begins with. */
export const SEEDS = -1;

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
  const body = unseal(store, key, sealed);
  return wellFormed(store, key, () => {
    const [names, tasks] = list(packr.unpack(body));
    const nameAt = (index: unknown) => text(list(names)[whole(index)]);
    const block = new Map<number, Map<TaskId, Write[]>>();
    for (const packed of list(tasks)) {
      const [at, task, ...flat] = list(packed);
      const writes = Array.from(groups(flat, 4), ([index, channel, path, ref]) => ({
        index: indexOf(index),
        channel: nameAt(channel) as Channel,
        path: nameAt(path),
        ref: unpackRef(ref),
      }));
      const depth = store === "pasts" && at === SEEDS ? SEEDS : whole(at);
      const byTask = block.get(depth) ?? new Map<TaskId, Write[]>();
      block.set(depth, byTask.set(unpackId<TaskId>(task), writes));
    }
    return block;
  });
}
