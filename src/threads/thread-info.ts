import { InvalidConfigError } from "../errors/index.ts";
import type { StoredThread } from "../engine/index.ts";
import { decodeEncoded } from "./decoder.ts";
import { threadId } from "./ids.ts";
import type { Storage } from "./storage.ts";

/** What is known of a thread without reading its state. */
export interface ThreadInfo {
  readonly id: string;
  readonly title?: string;
  /** Whatever the application says of it. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created: Date;
  /** When something of it was written last. */
  readonly updated: Date;
  readonly checkpoints: number;
  /** About how many bytes its rows take. */
  readonly bytes: number;
  /** It is not removed to save space. */
  readonly pinned: boolean;
  /** What is said of it cannot be read. Its checkpoints may be, and it can be deleted. */
  readonly isDamaged: boolean;
}

export interface ListOptions {
  /** How many at most. Default 20. */
  readonly limit?: number;
  /** The last one of the page before. */
  readonly after?: ThreadInfo;
}

export interface ThreadUpdate {
  /** `null` takes it away. Absent: stays as it is. */
  readonly title?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  /** Whether policies of retention leave the thread alone. */
  readonly pinned?: boolean;
}

export async function listThreads(storage: Storage, { limit = 20, after }: ListOptions): Promise<ThreadInfo[]> {
  if (!(limit >= 1)) throw new InvalidConfigError({ field: "limit", hint: "It is a number of threads." });
  const page = await storage.engine.threads({
    limit: Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER),
    ...(after === undefined ? {} : { after: { id: after.id, updated: after.updated.getTime() } }),
  });
  return Promise.all(page.map((thread) => infoOf(storage, thread)));
}

export async function getThread(storage: Storage, id: string): Promise<ThreadInfo | undefined> {
  const [stored] = await storage.engine.threads({ id: threadId(id), limit: 1 });
  return stored && infoOf(storage, stored);
}

export async function updateThread(storage: Storage, id: string, { title, metadata, pinned }: ThreadUpdate): Promise<void> {
  const { codec, durability, turns } = storage.options;
  const thread = threadId(id);
  if (title !== undefined && title !== null && (typeof title !== "string" || !title.isWellFormed())) {
    throw new InvalidConfigError({ field: "title", hint: "It is a string of well-formed Unicode, or null." });
  }
  if (pinned !== undefined && typeof pinned !== "boolean") throw new InvalidConfigError({ field: "pinned", hint: "It is true or false." });
  const encoded = metadata === undefined || metadata === null ? metadata : codec.encode(metadata, "metadata");
  await turns.take(encoded, (value) =>
    storage.engine.updateThread({
      thread,
      ...(title === undefined ? {} : { title }),
      ...(value === undefined ? {} : { metadata: value }),
      ...(pinned === undefined ? {} : { pinned }),
      durability,
    }),
  );
}

async function infoOf({ options: { codec } }: Storage, { metadata, created, updated, ...stored }: StoredThread): Promise<ThreadInfo> {
  const described = metadata === undefined ? {} : await decodeEncoded(codec, metadata);
  return { ...stored, metadata: described as Readonly<Record<string, unknown>>, created: new Date(created), updated: new Date(updated) };
}
