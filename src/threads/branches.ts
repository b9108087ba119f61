import type { Where } from "./state.ts";
import type { Storage } from "./storage.ts";

/** Checkpoints in a row, each the parent of the next. */
export interface Branch {
  /** Its first checkpoint. */
  readonly start: string;
  /** Its last one. */
  readonly tip: string;
  /** The checkpoint, of another branch, that it forks off from. Absent for a branch that begins the thread. */
  readonly parent?: string;
  /** How many checkpoints it has. */
  readonly length: number;
  /** Whether its tip is the newest checkpoint of the thread, which is what is read unless one says otherwise. */
  readonly newest: boolean;
}

export async function branchesOf(storage: Storage, { thread, namespace }: Where): Promise<Branch[]> {
  const branches = await storage.engine.branches({ thread, namespace });
  const newest = branches.reduce((latest, { tip }) => (tip > latest ? tip : latest), "");
  return branches.map((branch) => ({ ...branch, newest: branch.tip === newest }));
}
