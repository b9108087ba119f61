import { COUNTERS, migrate, schemaVersionOf } from "../channels/index.ts";
import type { StateReply } from "../engine/index.ts";
import { UndefinedChannelError } from "../errors/index.ts";
import type { Namespace, ThreadId } from "../idb/index.ts";
import { Decoder } from "./decoder.ts";
import { type Head, timestampOf } from "./head.ts";
import type { Storage } from "./storage.ts";
import { isInternal } from "./visible.ts";

/** A thread's state at one checkpoint. */
export interface ThreadState<Values> {
  readonly id: string;
  /** The checkpoint before it. */
  readonly parent?: string;
  readonly created: Date;
  /** What LangGraph or `append` noted: `source`, `step`, `parents`, and what the application added. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly values: Values;
}

/** What is known of a checkpoint besides its values. */
export function describe({ id, parent }: { readonly id: string; readonly parent?: string }, head: Head): Omit<ThreadState<unknown>, "values"> {
  return { id, ...(parent === undefined ? {} : { parent }), created: new Date(timestampOf(head)), metadata: head.metadata };
}

/** The state in a reply, brought to the schema of this release. */
export async function stateIn(storage: Storage, { checkpoint, runs }: StateReply, others: boolean): Promise<ThreadState<Record<string, unknown>> | undefined> {
  if (checkpoint === undefined) return undefined;
  const { codec, channels, schema } = storage.options;
  const decoder = new Decoder(codec, runs);
  const head = await decoder.head(checkpoint.head);
  const values: [string, unknown][] = [];
  for (const { name, version, shape, value } of checkpoint.channels) {
    const isDefined = Object.hasOwn(channels, name);
    if (!isDefined && (!others || isInternal(name))) continue;
    const isRebuilt = isDefined && channels[name]?.kind !== "last";
    if (value !== undefined) values.push([name, await decoder.plainValue(value)]);
    else if (!isRebuilt && shape === undefined && version !== undefined && isDelta(name, head)) throw new UndefinedChannelError({ channel: name });
  }
  const initial = Object.entries(channels).map(([name, channel]): [string, unknown] => [name, channel.initial()]);
  const read = Object.fromEntries(values);
  const migrated = schema === undefined ? read : migrate(schema, read, schemaVersionOf(head.metadata));
  return { ...describe(checkpoint, head), values: { ...defined(initial), ...migrated } };
}

/** The state of a thread that has no checkpoint. */
export function initialValues({ options: { channels } }: Storage): Record<string, unknown> {
  return defined(Object.entries(channels).map(([name, channel]) => [name, channel.initial()]));
}

function defined(entries: readonly [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function isDelta(name: string, { metadata }: Head): boolean {
  return Object.hasOwn((metadata[COUNTERS] ?? {}), name);
}

export interface Where {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
}
