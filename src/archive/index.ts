export { ArchiveReader } from "./archive-reader.ts";
export { ArchiveWriter } from "./archive-writer.ts";
export type { ArchivedValue, ArchiveRecord, CheckpointRecord, ElementsRecord, ThreadRecord, WritesRecord } from "./records.ts";
