import type { CheckpointId } from "../idb/index.ts";

/** 100 ns each, from 15 October 1582 to 1 January 1970. */
const TICKS_TO_1970 = 122_192_928_000_000_000n;

const UUID6 = /^([\da-f]{8})-([\da-f]{4})-6([\da-f]{3})-/;

let last = 0n;

/** An id of the kind that LangGraph makes (a version 6 UUID): ids sort by time, and a checkpoint's after its parent's. */
export function nextCheckpointId(parent: CheckpointId | undefined, step: number): CheckpointId {
  const now = BigInt(Date.now()) * 10_000n + TICKS_TO_1970;
  const after = [last, ticksOf(parent)].reduce((latest, ticks) => (ticks > latest ? ticks : latest));
  last = now > after ? now : after + 1n;
  const time = last.toString(16).padStart(15, "0");
  const sequence = (0x8000 | (step & 0x3fff)).toString(16);
  const node = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-6${time.slice(12)}-${sequence}-${node}` as CheckpointId;
}

function ticksOf(id: CheckpointId | undefined): bigint {
  const [, high, middle, low] = UUID6.exec(id ?? "") ?? [];
  return high === undefined ? 0n : BigInt(`0x${high}${middle}${low}`);
}
