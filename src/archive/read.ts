import { ArchiveReader } from "./archive-reader.ts";
import type { ArchiveRecord } from "./records.ts";

/** The bytes of a file, in parts: a `Blob`, a stream of a browser or of Node, or any other source. */
export type ArchiveSource = Blob | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/**
 * Reads a file of exported threads, record by record, anywhere: it needs no IndexedDB. Each record is from a block whose checksum was right; when the
 * loop ends by itself, the file was whole. Memory is needed for one block, mostly 1 MB. Values are bytes of the package's codec, and stay so.
 *
 * @throws DamagedFileError `damaged-file` for bytes that are not those that were exported, or not all of them
 * @throws UnsupportedFileError `unsupported-file` for a later format, and for what is no such file
 * @example
 * ```ts
 * for await (const record of readArchive(createReadStream("chat.threads"))) if (record.kind === "thread") console.log(record.id, record.title);
 * ```
 */
export async function* readArchive(source: ArchiveSource): AsyncGenerator<ArchiveRecord> {
  const reader = new ArchiveReader();
  for await (const part of partsOf(source)) for await (const records of reader.take(part as Uint8Array<ArrayBuffer>)) yield* records;
  reader.end();
}

/** In whatever way the source gives them. */
export async function* partsOf(source: ArchiveSource): AsyncGenerator<Uint8Array> {
  const stream = source instanceof Blob ? source.stream() : source;
  if (!(stream instanceof ReadableStream)) {
    yield* stream;
    return;
  }
  // Safari has no loops over streams.
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
