export { LocalEngine } from "./engine.ts";
export type * from "./types.ts";
