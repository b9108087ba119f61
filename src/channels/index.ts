export { assertBatchInvariant } from "./batch-invariance.ts";
export { COUNTERS, type Counters, VERSIONED } from "./metadata.ts";
export {
  aggregate,
  type AggregateChannel,
  type BatchReducer,
  type ChannelDefinition,
  type Channels,
  delta,
  type DeltaChannel,
  type DeltaOptions,
  lastValue,
  type LastValueChannel,
  type Reducer,
  type StateOf,
  type WriteOf,
} from "./definition.ts";
export { equal } from "./equal.ts";
export {
  addsOnly,
  type Identified,
  type Message,
  messagesReducer,
  type MessageWrite,
  type Removal,
  REMOVE_ALL_MESSAGES,
  removeMessage,
  withMessageIds,
} from "./messages.ts";
export { Overwrite, overwriteOf } from "./overwrite.ts";
export { migrate, type Migration, SCHEMA, type Schema, schemaOf, schemaVersionOf } from "./schema.ts";
