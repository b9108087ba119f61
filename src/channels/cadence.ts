import type { Channels, DeltaChannel } from "./definition.ts";
import type { Counters } from "./metadata.ts";

/** A channel that nobody writes any more is snapshot after so many steps, so that its replay does not go back for ever. */
const MAX_STEPS = 5000;

/** The counters after one more step. */
export function advance(channels: Channels, written: ReadonlySet<string>, counters: Counters): Counters {
  const deltas = Object.entries(channels).filter(([, { kind }]) => kind === "delta");
  return Object.fromEntries(
    deltas.map(([name]) => {
      const [updates, steps] = Object.hasOwn(counters, name) ? counters[name]! : [0, 0];
      return [name, [written.has(name) ? updates + 1 : updates, steps + 1] as const];
    }),
  );
}

/** Whether a channel whose counters say this stores its whole value now. */
export function isDue(channel: DeltaChannel, [updates, steps]: readonly [number, number] = [0, 0]): boolean {
  return updates >= channel.snapshotFrequency || steps >= MAX_STEPS;
}
