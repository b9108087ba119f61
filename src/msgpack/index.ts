export { Packer, unpack } from "./msgpack.ts";
