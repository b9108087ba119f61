import { Packr } from "msgpackr";
import { requirePlain } from "./plain.ts";

export { requirePlain } from "./plain.ts";

const messagePack = new Packr({ useRecords: false, variableMapSize: true, useToJSON: false, copyBuffers: true, structuredClone: false });

/**
 * MessagePack of plain data: trees of null, booleans, numbers, strings, bytes, arrays, and objects with string keys. The same tree
 * always gives the same bytes. What `pack` gives is a view that holds until the next call.
 */
export const packr = {
  pack: (tree: unknown): Uint8Array<ArrayBuffer> => messagePack.pack(tree) as Uint8Array<ArrayBuffer>,
  /** Throws for bytes that `pack` cannot have made */
  unpack(bytes: Uint8Array): unknown {
    requirePlain(bytes, 0, bytes.length);
    return messagePack.unpack(bytes);
  },
  /** Values one after another, each of which {@link requirePlain} has seen. */
  unpackMultiple: (bytes: Uint8Array): unknown[] => messagePack.unpackMultiple(bytes) as unknown[],
};
