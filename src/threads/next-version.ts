import { InvalidConfigError } from "../errors/index.ts";

/**
 * Versions that no other branch has: the next whole number, and a random fraction that is never zero. They compare as the integers do that
 * other savers give, so a thread that began with those goes on.
 */
export function nextVersion(current: number | undefined): number {
  if (typeof current === "string") throw fromElsewhere();
  return Math.floor(current ?? 0) + 1 + (Math.floor(Math.random() * 2 ** 32) + 0.5) / 2 ** 32;
}

export function isOwnVersion(version: unknown): boolean {
  return typeof version === "number" && !Number.isInteger(version);
}

/** The greatest of some versions; undefined if there are none. */
export function latestOf(versions: readonly (number | string)[]): number | undefined {
  let latest: number | undefined;
  for (const version of versions) {
    if (typeof version === "string") throw fromElsewhere();
    latest = Math.max(latest ?? version, version);
  }
  return latest;
}

function fromElsewhere(): InvalidConfigError {
  return new InvalidConfigError({ field: "channel_versions", hint: "Versions that are strings come from another saver, and cannot go on here." });
}
