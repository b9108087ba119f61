export { connect, type Lease, type WorkerOption } from "./connect.ts";
