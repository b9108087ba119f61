import { type ArchiveSource, partsOf, readArchive } from "./read.ts";
import type { ArchivedValue } from "./records.ts";

/** What a file holds of a thread. */
export interface ArchivedThread {
  readonly id: string;
  readonly title?: string;
  readonly created: Date;
  readonly updated: Date;
  readonly namespaces: readonly ArchivedNamespace[];
}

export interface ArchivedNamespace {
  /** "" is the graph itself, others are subgraphs. */
  readonly name: string;
  checkpoints: number;
  /** Stretches of checkpoints each of which follows the one before. */
  branches: number;
  /** How many values tasks wrote. */
  writes: number;
  /** Checkpoints whose ancestors were removed, and that have with them what their history was. */
  pasts: number;
  /** Elements of content, each stored once. */
  elements: number;
  /** Of the elements, of values that stand by themselves, and of the heads of checkpoints. */
  bytes: number;
  /** The greatest id, which is the newest. */
  newest: string | undefined;
}

export interface Inspection {
  readonly written: Date;
  /** Of the file. */
  readonly bytes: number;
  readonly threads: readonly ArchivedThread[];
}

/**
 * Reads a whole file, and so finds out whether it is in order.
 *
 * @throws DamagedFileError, UnsupportedFileError as {@link readArchive} does
 */
export async function inspect(source: ArchiveSource): Promise<Inspection> {
  let [bytes, written] = [0, new Date(0)];
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of partsOf(source)) {
      bytes += part.length;
      yield part;
    }
  };
  const threads: (ArchivedThread & { namespaces: ArchivedNamespace[] })[] = [];
  let namespace: ArchivedNamespace = emptyNamespace("");
  /** The checkpoints that nothing follows yet. */
  let tips = new Set<string>();
  for await (const record of readArchive(counted())) {
    if (record.kind === "file") written = new Date(record.written);
    else if (record.kind === "thread") {
      const { id, title, created, updated } = record;
      threads.push({ id, ...(title === undefined ? {} : { title }), created: new Date(created), updated: new Date(updated), namespaces: [] });
    } else if (record.kind === "namespace") {
      namespace = emptyNamespace(record.name);
      tips = new Set();
      threads.at(-1)?.namespaces.push(namespace);
    } else if (record.kind === "elements") {
      namespace.elements += record.elements.length;
      for (const { length } of record.elements) namespace.bytes += length;
    } else if (record.kind === "checkpoint") {
      namespace.checkpoints++;
      namespace.bytes += record.head.length;
      for (const { value } of record.channels) namespace.bytes += ownBytes(value);
      if (record.hasPast === true) namespace.pasts++;
      if (record.hasPast === true || record.parent === undefined || !tips.delete(record.parent)) namespace.branches++;
      tips.add(record.id);
      if (namespace.newest === undefined || record.id > namespace.newest) namespace.newest = record.id;
    } else if (record.kind === "writes") {
      namespace.writes += record.writes.length;
      for (const { value } of record.writes) namespace.bytes += ownBytes(value);
    } else if (record.kind === "past") {
      for (const { value } of [...record.seeds, ...record.steps.flat().flatMap(({ writes }) => writes)]) namespace.bytes += ownBytes(value);
    }
  }
  return { written, bytes, threads };
}

function emptyNamespace(name: string): ArchivedNamespace {
  return { name, checkpoints: 0, branches: 0, writes: 0, pasts: 0, elements: 0, bytes: 0, newest: undefined };
}

function ownBytes(value: ArchivedValue | undefined): number {
  return value !== undefined && "bytes" in value ? value.bytes.length : 0;
}
