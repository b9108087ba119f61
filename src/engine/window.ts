import type { Reading } from "../idb/index.ts";
import { channelOf } from "./checkpoint-row.ts";
import { take } from "./edit-value.ts";
import { Gather } from "./gather.ts";
import type { NamespaceState } from "./namespace.ts";
import { LOST } from "./lost.ts";
import type { Ref } from "./ref.ts";
import type { WindowReply, WindowRequest } from "./thread-types.ts";
import type { EncodedValue } from "./types.ts";

/** Some elements of a stored list. Reads the rows that hold them, and no others. */
export async function readWindow(tx: Reading, space: NamespaceState, request: WindowRequest): Promise<WindowReply> {
  const { channel } = request;
  const id = request.id ?? (await space.newest(tx));
  const row = id === undefined ? undefined : await space.checkpoint(tx, id);
  if (id === undefined || row === undefined) return { runs: [] };
  const whole = channelOf(row, channel)?.ref;
  const head = row.head.slice();
  if (whole === undefined) return { runs: [], id, head };
  const gather = new Gather();
  if (whole === LOST) gather.want(space, channel, whole);
  const total = lengthOf(whole);
  const end = request.from === "start" ? Math.min(request.count, request.before ?? total, total) : Math.min(request.before ?? total, total);
  const start = request.from === "start" ? 0 : Math.max(0, end - request.count);
  const ref = part(whole, start, end - start);
  gather.want(space, channel, ref);
  await gather.load(tx);
  return { window: { value: gather.value(space, channel, ref), start, total }, runs: gather.runs, id, head };
}

function lengthOf(ref: Ref): number {
  return "bytes" in ref ? ref.ends.length : ref.pieces.reduce((sum, { length }) => sum + length, 0);
}

function part(ref: Ref, start: number, count: number): Ref {
  return "bytes" in ref ? partOf(ref, start, count) : { shape: ref.shape, pieces: take(ref.pieces, start, count) };
}

function partOf({ shape, bytes, ends }: EncodedValue, start: number, count: number): EncodedValue {
  const from = start === 0 ? 0 : ends[start - 1]!;
  const within = Array.from(ends.slice(start, start + count), (end) => end - from);
  return { shape, bytes: bytes.slice(from, from + (within.at(-1) ?? 0)), ends: within };
}
