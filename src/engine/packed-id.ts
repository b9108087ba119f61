import { type CheckpointId, isUuid, type TaskId } from "../idb/index.ts";
import { bytes, refuse, text } from "./well-formed.ts";

/** An id in the body of a row: UUIDs are shorter as bytes. */
export type PackedId = string | Uint8Array;

const UUID_BYTES = 16;

export function packId(id: CheckpointId | TaskId): PackedId {
  return isUuid(id) ? Uint8Array.from(id.replaceAll("-", "").match(/../g)!, (digits) => Number.parseInt(digits, 16)) : id;
}

/** @param packed what {@link packId} made, or anything else, which is refused */
export function unpackId<T extends CheckpointId | TaskId>(packed: unknown): T {
  if (typeof packed === "string") return text(packed) as T;
  const digits = Array.from(bytes(packed), (byte) => byte.toString(16).padStart(2, "0"));
  if (digits.length !== UUID_BYTES) refuse("an id");
  return [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6, 8), digits.slice(8, 10), digits.slice(10)].map((group) => group.join("")).join("-") as T;
}
