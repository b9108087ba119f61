export { Codec, type SnapshotType, type ValueCodec } from "./codec.ts";
export { type Serializer, SerializerCodec } from "./serializer-codec.ts";
export type { ValueType } from "./value-type.ts";
