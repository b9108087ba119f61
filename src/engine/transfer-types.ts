import type { ThreadId } from "../idb/index.ts";
import type { Durability } from "./types.ts";

/*
 * Threads out of the database as the bytes of a file, and back. Who asks for one names it, so that it can be ended in any case.
 */

export interface TransferRequest {
  /** A name that no other one has. */
  readonly transfer: string;
}

export interface BeginExportRequest extends TransferRequest {
  /** Absent: all. */
  readonly threads?: readonly ThreadId[];
}

/** How far a transfer is. */
export interface TransferCount {
  /** Including the one that is under way. */
  readonly threads: number;
  readonly checkpoints: number;
}

export interface ExportReply extends TransferCount {
  /** The next bytes of the file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isLast: boolean;
}

/** Where a thread of the file is there already: `"merge"` adds what is missing, `"replace"` deletes what is there, `"new-id"` leaves it and takes another id. */
export type ImportMode = "merge" | "replace" | "new-id";

export interface BeginImportRequest extends TransferRequest {
  readonly mode: ImportMode;
  /** By the id in the file, the id to take. */
  readonly ids: ReadonlyMap<ThreadId, ThreadId>;
  readonly durability: Durability;
}

export interface ImportRequest extends TransferRequest {
  /** The next bytes of the file. Absent: go on with those before. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

export interface ImportReply extends TransferCount {
  /** There is more to do before the next bytes can be taken. */
  readonly isBusy: boolean;
}

export interface ImportedThread {
  readonly id: string;
  /** Its id in the file. */
  readonly from: string;
  readonly outcome: "added" | "merged" | "replaced" | "unchanged";
  /** How many were added. */
  readonly checkpoints: number;
  readonly writes: number;
}

export interface TransferEngine {
  beginExport(request: BeginExportRequest): Promise<void>;
  export(request: TransferRequest): Promise<ExportReply>;
  beginImport(request: BeginImportRequest): Promise<void>;
  import(request: ImportRequest): Promise<ImportReply>;
  /** What the file holds is made visible, all of it in one transaction; or, if `isTrial`, said and thrown away. */
  finishImport(request: TransferRequest & { readonly isTrial: boolean }): Promise<readonly ImportedThread[]>;
  /** Ends what is under way. Of an import that was not finished nothing is left. */
  endTransfer(request: TransferRequest): Promise<void>;
}
