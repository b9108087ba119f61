export { connect, type Lease, type WorkerOption } from "./connect.ts";
export type { Limits } from "./link.ts";
