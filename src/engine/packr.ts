import { Packer, unpack } from "../msgpack/index.ts";

const packer = new Packer();

/** The bodies of rows. */
export const packr = {
  /** The bytes hold until the next call. */
  pack: (tree: unknown): Uint8Array => packer.pack(tree),
  unpack,
};
