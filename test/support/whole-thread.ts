import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import type { IndexedDBSaver } from "../../src/index.ts";
import { historyOf, listed } from "./checkpoints.ts";
import { still } from "./still.ts";

/** All that a reader can learn about a thread, to be compared with that of another; its id is left out. */
export async function wholeThread(saver: IndexedDBSaver, thread: string): Promise<unknown> {
  const tuples = (await listed(saver, { configurable: { thread_id: thread } })).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const namespaces = [...new Set(tuples.map(({ config }) => String(config.configurable?.["checkpoint_ns"])))];
  const { title, metadata, created, checkpoints } = (await saver.threads.get(thread)) ?? {};
  return {
    info: { title, metadata, created, checkpoints },
    branches: await Promise.all(namespaces.map(async (namespace) => [namespace, await saver.threads.thread(thread, { namespace }).branches()])),
    checkpoints: await Promise.all(
      tuples.map(async ({ config, parentConfig, checkpoint, metadata, pendingWrites }) => ({
        name: nameOf({ config }),
        parent: parentConfig?.configurable?.["checkpoint_id"] as unknown,
        checkpoint: { ...checkpoint, channel_values: Object.entries(still(checkpoint.channel_values)).toSorted(([a], [b]) => (a < b ? -1 : 1)) },
        metadata,
        pendingWrites: still(pendingWrites),
        history: still(await historyOf(saver, config, "delta")),
      })),
    ),
  };
}

function nameOf({ config }: Pick<CheckpointTuple, "config">): string {
  return JSON.stringify([config.configurable?.["checkpoint_ns"], config.configurable?.["checkpoint_id"]]);
}
