export { Packer } from "./packer.ts";
export { unpack } from "./unpack.ts";
