import { ChannelWorker } from "./channel-worker.ts";
import { inNode } from "./contract.ts";

/** A worker that nobody shares: with it a saver has an engine and a connection of its own, as in another tab. */
export function ownWorker(): Worker {
  return inNode ? new ChannelWorker().asWorker() : new Worker(new URL("../../src/worker/host.ts", import.meta.url), { type: "module" });
}
