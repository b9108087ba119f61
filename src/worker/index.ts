export { connect, type Lease, type WorkerOption } from "./connect.ts";
export { Health, type Remedy, type StorageEvents, type StorageFault, type StorageStatus } from "./health.ts";
export { estimate, persist, type StorageEstimate, type StorageNotice } from "./space.ts";
