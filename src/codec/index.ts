export { Codec, type SnapshotType, type ValueCodec } from "./codec.ts";
export { type Encoded, Shape, SNAPSHOT } from "./encoded.ts";
export { record, withFields } from "./malformed.ts";
export { SerializerCodec } from "./serializer-codec.ts";
export type { OtherTypes, ValueType } from "./value-type.ts";
