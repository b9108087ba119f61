export type { Counts } from "../idb/counts.ts";
export { LocalEngine } from "./engine.ts";
export type * from "./thread-types.ts";
export type * from "./types.ts";
export type * from "./transfer-types.ts";
