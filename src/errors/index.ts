export * from "./errors.ts";
export { type ErrorEnvelope, fromEnvelope, toEnvelope } from "./envelope.ts";
export { CheckpointError } from "./fault.ts";
