import type { ChannelVersions, Checkpoint } from "@langchain/langgraph-checkpoint";
import { InvalidConfigError } from "../errors/index.ts";
import { isOwnVersion } from "../threads/next-version.ts";

export interface ChannelOfStep {
  readonly name: string;
  readonly version?: number | string;
  readonly fresh: boolean;
  /** Absent if there is none: a channel is never stored as `undefined`. */
  readonly value?: unknown;
}

/** The channels of a checkpoint: those that have a version, and those that have none but were written. */
export function versionsOf(checkpoint: Checkpoint, newVersions: ChannelVersions): ChannelOfStep[] {
  const { channel_values: values = {}, channel_versions: versions = {} } = checkpoint as Partial<Checkpoint>;
  const written = Object.keys(newVersions).filter((name) => !Object.hasOwn(versions, name) && Object.hasOwn(values, name));
  return [...Object.keys(versions), ...written].map((name) => {
    const version: unknown = Object.hasOwn(versions, name) ? versions[name] : undefined;
    if (version !== undefined && !isVersion(version)) {
      throw new InvalidConfigError({ field: `channel_versions.${name}`, hint: "A version is a number, or a well-formed string." });
    }
    const fresh = Object.hasOwn(newVersions, name);
    // A version of our own making says by itself which value it is.
    const known = !fresh && isOwnVersion(version);
    const value = !known && Object.hasOwn(values, name) ? values[name] : undefined;
    return {
      name,
      fresh,
      ...(version === undefined ? {} : { version }),
      ...(value === undefined ? {} : { value }),
    };
  });
}

function isVersion(version: unknown): version is number | string {
  return typeof version === "string" ? version.isWellFormed() : typeof version === "number" && !Number.isNaN(version);
}
