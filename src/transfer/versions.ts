import type { Checkpoint, ChannelVersions } from "@langchain/langgraph-checkpoint";

type Version = number | string;

/** Versions that are others on the other side, by channel: there a version may already stand for a sibling branch's value. */
export type Renames = ReadonlyMap<string, ReadonlyMap<Version, Version>>;

/** LangGraph's note of the versions it raised only to store a snapshot; its keys end with the channel. */
const SNAPSHOT_BUMPS = "__snapshot_bumps__";

/** A version right after `version`, and before the next whole one, that nobody else has. */
export function another(version: Version): Version {
  if (typeof version === "string") return `${version}.${Math.random().toString().slice(2)}`;
  return version + (Math.floor(version) + 1 - version) * (0.25 + Math.random() / 2);
}

/** `renames`, and what else is called otherwise on the other side. */
export function renamesWith(renames: Renames, here: Readonly<ChannelVersions>, there: Readonly<ChannelVersions>): Renames {
  const further = Object.entries(here).filter(([channel, version]) => there[channel] !== undefined && there[channel] !== version);
  if (further.length === 0) return renames;
  return new Map([...renames, ...further.map(([channel, version]) => [channel, new Map([...(renames.get(channel) ?? []), [version, there[channel]!]])] as const)]);
}

export function renamed(checkpoint: Checkpoint, renames: Renames): Checkpoint {
  if (renames.size === 0) return checkpoint;
  const nameOf = (channel: string, version: Version): Version => renames.get(channel)?.get(version) ?? version;
  const bumped = (key: string): string => [...renames.keys()].find((channel) => key.endsWith(`|${channel}`) || key.endsWith(`:${channel}`)) ?? key;
  return {
    ...checkpoint,
    channel_versions: mapped(checkpoint.channel_versions, nameOf),
    versions_seen: mapped(checkpoint.versions_seen, (node, seen) =>
      mapped(seen, (key, version) => nameOf(node === SNAPSHOT_BUMPS ? bumped(key) : key, version)),
    ),
  };
}

function mapped<T>(record: Readonly<Record<string, T>>, change: (key: string, value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(key, value)]));
}
