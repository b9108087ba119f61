export { CheckpointError } from "../errors/fault.ts";
export { DamagedFileError, UnsupportedFileError } from "../errors/errors.ts";
export { ArchiveReader } from "./archive-reader.ts";
export { ArchiveWriter } from "./archive-writer.ts";
export { type ArchivedNamespace, type ArchivedThread, inspect, type Inspection } from "./inspect.ts";
export { type ArchiveSource, readArchive } from "./read.ts";
export type {
  ArchivedChannel,
  ArchivedSeed,
  ArchivedTask,
  ArchivedValue,
  ArchivedWrite,
  ArchiveRecord,
  CheckpointRecord,
  Counts,
  ElementsRecord,
  EndRecord,
  FileRecord,
  InlineValue,
  NamespaceRecord,
  PastRecord,
  ThreadRecord,
  WritesRecord,
} from "./records.ts";
