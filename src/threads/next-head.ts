import { advance } from "../channels/cadence.ts";
import { type Channels, COUNTERS, type Counters, SCHEMA, VERSIONED } from "../channels/index.ts";
import type { AppendChannel } from "../engine/index.ts";
import { type Head, headOf } from "./head.ts";
import { countersOf, type Parent, stepOf } from "./parent.ts";
import { versionOf } from "./rebuilder.ts";

export interface NextHead {
  readonly channels: Channels;
  readonly parent: Parent | undefined;
  /** The channels that the step writes. */
  readonly written: ReadonlySet<string>;
  /** The channels of the new checkpoint. */
  readonly stored: readonly AppendChannel[];
  /** The application's. */
  readonly metadata: object;
  /** The version of the state's shape; absent where that is not known. */
  readonly schema: number | undefined;
}

/** The head of a step's checkpoint, as that of LangGraph's `updateState` would be. */
export function nextHead({ channels, parent, written, stored, metadata, schema }: NextHead): Head {
  const snapshots = new Set(stored.filter(({ value }) => value !== undefined).map(({ name }) => name as string));
  const counters = Object.entries(countersAfter(channels, parent, written)).filter(([name]) => !snapshots.has(name));
  const hasDeltas = Object.values(channels).some(({ kind }) => kind === "delta");
  const isVersioned = hasDeltas && (parent === undefined || parent.head.metadata[VERSIONED] === true);
  const version = schema ?? parent?.head.metadata[SCHEMA] ?? 1;
  const noted = {
    ...withoutOurs(metadata),
    source: "update",
    step: parent === undefined ? 0 : stepOf(parent) + 1,
    parents: parent?.head.metadata["parents"] ?? {},
    ...(isVersioned ? { [VERSIONED]: true } : {}),
    ...(counters.length > 0 ? { [COUNTERS]: Object.fromEntries(counters) } : {}),
    ...(version === 1 ? {} : { [SCHEMA]: version }),
  };
  return headOf({ v: 4, ts: new Date().toISOString(), versions_seen: parent === undefined ? {} : seenAfter(parent, written, stored) }, noted);
}

/** What the application notes, which may be what it read of another step. */
function withoutOurs(metadata: object): object {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => ![VERSIONED, COUNTERS, SCHEMA].includes(name)));
}

/** The counters after the step, those of channels that are not defined here included. A thread begins without. */
export function countersAfter(channels: Channels, parent: Parent | undefined, written: ReadonlySet<string>): Counters {
  if (parent === undefined) return {};
  const before = countersOf(parent);
  const others = Object.entries(before).filter(([name]) => !Object.hasOwn(channels, name));
  return {
    ...Object.fromEntries(others.map(([name, [updates, steps]]) => [name, [updates, steps + 1]])),
    ...advance(channels, written, before),
  };
}

/** A version that changed only because the value is stored now is nothing new to who has seen the one before. */
function seenAfter(parent: Parent, written: ReadonlySet<string>, stored: readonly AppendChannel[]): Head["seen"] {
  const bumped = new Map(stored.filter(({ name, fresh }) => fresh && !written.has(name)).map(({ name, version }) => [name as string, version]));
  if (bumped.size === 0) return parent.head.seen;
  const advanced = ([name, version]: [string, number | string]): [string, number | string] => [
    name,
    version === versionOf(parent.checkpoint, name) ? (bumped.get(name) ?? version) : version,
  ];
  return Object.fromEntries(Object.entries(parent.head.seen).map(([node, versions]) => [node, Object.fromEntries(Object.entries(versions).map(advanced))]));
}
