export { Codec, type SnapshotType, type ValueCodec } from "./codec.ts";
export { SerializerCodec } from "./serializer-codec.ts";
export type { ValueType } from "./value-type.ts";
