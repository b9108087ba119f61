import type { ImportedThread, ImportMode } from "../engine/index.ts";
import { InvalidConfigError } from "../errors/index.ts";
import { threadId } from "./ids.ts";
import type { Storage } from "./storage.ts";

export type { ImportedThread, ImportMode };

/** How far an export or import is. */
export interface TransferProgress {
  /** Of the file: those that were made or read. */
  readonly bytes: number;
  /** Of the file, where it is a Blob that is imported. */
  readonly of?: number;
  /** Including the one that is under way. */
  readonly threads: number;
  readonly checkpoints: number;
}

interface TransferOptions {
  /** Ends it, with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called after each part. */
  readonly onProgress?: (progress: TransferProgress) => void;
}

export interface ExportOptions extends TransferOptions {
  /** The ids of the threads to export. Default: all. */
  readonly threads?: readonly string[];
}

export interface ImportOptions extends TransferOptions {
  /**
   * What to do with a thread that is there already. `"merge"`, the default: add the checkpoints and writes that it lacks, by their ids, and leave what it has; so that
   * importing twice changes nothing. `"replace"`: delete it. `"new-id"`: leave it, and give each thread of the file an id that is new.
   */
  readonly mode?: ImportMode;
  /** By the id in the file, the id that a thread is to have. Default: its own, or with `"new-id"` one at random. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Reads, checks and stores the file, and throws it away: to know what an import would do. Default: false. */
  readonly dryRun?: boolean;
}

/** What became of the threads of a file, or would have. */
export interface ImportReport {
  readonly threads: readonly ImportedThread[];
}

/** Handed over to a worker as they are: a larger part is parted. */
const PART_BYTES = 1024 * 1024;

export function exporting(storage: Storage, { threads, signal, onProgress }: ExportOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
  const wanted = threads?.map(threadId);
  const transfer = crypto.getRandomValues(new Uint32Array(4)).join(" ");
  const end = (): Promise<void> => storage.engine.endTransfer({ transfer });
  let beginning: Promise<void> | undefined;
  let bytes = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          signal?.throwIfAborted();
          beginning ??= storage.options.turns.take(undefined, () => storage.engine.beginExport({ transfer, ...(wanted === undefined ? {} : { threads: wanted }) }));
          await beginning;
          const part = await storage.engine.export({ transfer });
          signal?.throwIfAborted();
          bytes += part.bytes.length;
          controller.enqueue(part.bytes);
          onProgress?.({ bytes, threads: part.threads, checkpoints: part.checkpoints });
          if (!part.isLast) return;
          await end();
          controller.close();
        } catch (error) {
          await end().catch(() => undefined);
          throw error;
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

export async function importing(storage: Storage, file: Blob | ReadableStream<Uint8Array<ArrayBuffer>>, options: ImportOptions): Promise<ImportReport> {
  const { mode = "merge", ids = {}, dryRun = false } = options;
  if (!["merge", "replace", "new-id"].includes(mode)) throw new InvalidConfigError({ field: "mode", hint: 'It is "merge", "replace" or "new-id".' });
  const given = new Map(Object.entries(ids).map(([from, to]) => [threadId(from), threadId(to)]));
  const transfer = crypto.getRandomValues(new Uint32Array(4)).join(" ");
  return storage.options.turns.take(undefined, async () => {
    const { engine } = storage;
    try {
      await engine.beginImport({ transfer, mode, ids: given, durability: storage.options.durability });
      await sendAll(storage, transfer, file, options);
      options.signal?.throwIfAborted();
      return { threads: await engine.finishImport({ transfer, isTrial: dryRun }) };
    } finally {
      await engine.endTransfer({ transfer }).catch(() => undefined); // Where there is no worker any more, the next import finds what is left.
    }
  });
}

/** One part after another: the next is read when the one before was taken. */
async function sendAll(storage: Storage, transfer: string, file: Blob | ReadableStream<Uint8Array<ArrayBuffer>>, { signal, onProgress }: ImportOptions): Promise<void> {
  const [stream, of] = file instanceof Blob ? [file.stream(), { of: file.size }] : [file, {}];
  const reader = stream.getReader();
  const abort = (): void => void reader.cancel(signal?.reason).catch(() => undefined);
  signal?.addEventListener("abort", abort);
  let bytes = 0;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) return signal?.throwIfAborted();
      for (let at = 0; at < value.length; at += PART_BYTES) {
        signal?.throwIfAborted();
        const part = value.slice(at, at + PART_BYTES);
        bytes += part.length;
        let reply = await storage.engine.import({ transfer, bytes: part });
        while (reply.isBusy) {
          signal?.throwIfAborted();
          reply = await storage.engine.import({ transfer });
        }
        onProgress?.({ bytes, ...of, threads: reply.threads, checkpoints: reply.checkpoints });
      }
    }
  } catch (error) {
    await reader.cancel(error).catch(() => undefined);
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
    reader.releaseLock();
  }
}
