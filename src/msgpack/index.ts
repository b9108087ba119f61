import { Packr } from "msgpackr";
import { requirePlain } from "./plain.ts";
import { read } from "./read.ts";

export { Packed } from "./packed.ts";
export { requirePlain } from "./plain.ts";
export { read } from "./read.ts";

const messagePack = new Packr({ useRecords: false, variableMapSize: true, useToJSON: false, copyBuffers: true, structuredClone: false });

/**
 * MessagePack of plain data: trees of null, booleans, numbers, strings, bytes, arrays, and objects with string keys. The same tree
 * always gives the same bytes. What `pack` gives is a view that holds until the next call.
 */
export const packr = {
  pack: (tree: unknown): Uint8Array<ArrayBuffer> => messagePack.pack(tree) as Uint8Array<ArrayBuffer>,
  /** Throws for bytes that `pack` cannot have made */
  unpack(bytes: Uint8Array): unknown {
    return requirePlain(bytes, 0, bytes.length) ? read(bytes, 0) : messagePack.unpack(bytes);
  },
  /** Values one after another, each of which {@link requirePlain} has seen; where that says so, {@link read} has to take its place. */
  unpackMultiple: (bytes: Uint8Array): unknown[] => messagePack.unpackMultiple(bytes) as unknown[],
};
