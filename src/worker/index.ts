export { connect, type Lease, type WorkerOption } from "./connect.ts";
export { Health, type Remedy, type StorageEvents, type StorageFault, type StorageStatus } from "./health.ts";
export { Listeners } from "./listeners.ts";
export { estimate, persist, type StorageEstimate, type StorageNotice } from "./space.ts";
