export type { ThreadTransferReport } from "./carrier.ts";
export type { TransferSaver } from "./side.ts";
export { type ThreadTransferOptions, type ThreadTransferProgress, transferThread } from "./transfer.ts";
