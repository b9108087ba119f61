import { WorkerStartError } from "../errors/index.ts";

/** The code that removes checkpoints: loaded when it is needed. */
export async function loadPruning(): Promise<typeof import("./prune.ts")> {
  try {
    return await import("./prune.ts");
  } catch (cause) {
    throw new WorkerStartError({ reason: "the code that removes checkpoints could not be loaded" }, { cause });
  }
}
