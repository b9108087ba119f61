import type { IndexedDBSaver } from "../../src/index.ts";
import { freshName, type Implementation, inNode, openSaver, type SaverOptions } from "./contract.ts";
import { type Fault, failCommits } from "./faults.ts";
import { deleteDatabase } from "./raw-database.ts";

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

interface Crashing {
  readonly saver: IndexedDBSaver;
  readonly failCommits: (fault: Fault) => void;
  /** Another saver on the same database. */
  readonly open: (options?: SaverOptions) => IndexedDBSaver;
}

/** A saver whose commits can fail, on an empty database of its own, which is deleted afterwards. */
export async function onNewDatabase<T>(implementation: Implementation, use: (crashing: Crashing) => Promise<T>): Promise<T> {
  const name = freshName();
  const opened: IndexedDBSaver[] = [];
  const open = (options: SaverOptions = {}): IndexedDBSaver => {
    const saver = openSaver(implementation, { name, ...options });
    opened.push(saver);
    return saver;
  };
  try {
    return await use({ ...faultySaver(implementation, open), open });
  } finally {
    await Promise.all(opened.map((saver) => saver.close()));
    await deleteDatabase(name);
  }
}
