import type { IndexedDBSaver } from "../../src/index.ts";
import { type Implementation, inNode, type SaverOptions } from "./contract.ts";
import { failCommits } from "./faults.ts";

/** A saver, and the way to make its next commits fail, wherever its engine runs. */
export function faultySaver(
  implementation: Implementation,
  open: (options?: SaverOptions) => IndexedDBSaver,
): { saver: IndexedDBSaver; failCommits: typeof failCommits } {
  if (implementation !== "worker" || inNode) return { saver: open(), failCommits };
  const worker = new Worker(new URL("./faulty-worker.ts", import.meta.url), { type: "module" });
  return {
    saver: open({ worker: () => worker }),
    failCommits: (fault) => worker.postMessage({ fault }),
  };
}
