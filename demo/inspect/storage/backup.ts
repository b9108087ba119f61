import type { ImportMode, ImportReport, TransferProgress } from "langgraph-checkpoint-indexeddb/threads";
import { chosenTip } from "../../conversation/branch.ts";
import { purgeBefore } from "../../conversation/deletion.ts";
import { storedThread } from "../../conversation/stored.ts";
import { tellAll } from "../../conversation/tabs.ts";
import { saver } from "../../store/saver.ts";
import { keepDeleted } from "../../ui/deleted.ts";

export interface Watch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TransferProgress) => void;
}

/** A file to download, made in memory: that will do for what a demo keeps. A database of gigabytes is piped to a file on disk. */
export async function exportThreads(threads: readonly string[], watch: Watch): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  await saver.threads.export({ threads, ...watch }).pipeTo(new WritableStream({ write: (part) => void parts.push(part) }));
  return new Blob(parts);
}

/** What an import would do. */
export const tryImport = (file: Blob, mode: ImportMode, watch: Watch): Promise<ImportReport> => saver.threads.import(file, { mode, dryRun: true, ...watch });

/** Threads that could still be had back go first: the file may hold them. */
export async function importThreads(file: Blob, mode: ImportMode, watch: Watch): Promise<ImportReport> {
  keepDeleted();
  await purgeBefore(Infinity);
  const report = await saver.threads.import(file, { mode, ...watch });
  for (const { id } of report.threads) tellAll({ type: "changed", threadId: id });
  return report;
}

/** The branch that is on the screen, for reading. */
export async function transcriptOf(threadId: string): Promise<Blob> {
  const at = await chosenTip(threadId);
  return new Blob([await storedThread(threadId).transcript(at === undefined ? {} : { at })], { type: "text/markdown" });
}

export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
