import { DamagedError } from "../errors/index.ts";
import type { CheckpointId, Namespace, ThreadKey } from "../idb/index.ts";
import type { Ref } from "./ref.ts";

/**
 * What a repair could not save of a checkpoint: its `"row"`; what was `"written"` on it, by a task at least; some of the `"values"` that it or a
 * write on it holds; or its `"past"`, which is all that came before it. A thread's row remembers it, so that whatever needs it goes on failing, and is never made of what is left.
 */
export interface Loss {
  readonly namespace: Namespace;
  readonly id: CheckpointId;
  readonly part: LostPart;
}

export type LostPart = "row" | "written" | "values" | "past";

/** Where a part is. */
const STORES = { row: "checkpoints", written: "writes", values: "checkpoints", past: "pasts" };

/** The shape of a value that is lost: in its place a row says so. */
export const LOST_SHAPE = 16;

export const LOST: Ref = { shape: LOST_SHAPE, bytes: new Uint8Array(0), ends: [] };

/** The losses of one namespace. */
export class Losses {
  readonly #thread: ThreadKey;
  readonly #namespace: Namespace;
  readonly #parts = new Map<CheckpointId, Set<LostPart>>();

  constructor(thread: ThreadKey, namespace: Namespace, losses: readonly Loss[]) {
    this.#thread = thread;
    this.#namespace = namespace;
    for (const { namespace: where, id, part } of losses) {
      if (where === namespace) this.#parts.set(id, (this.#parts.get(id) ?? new Set()).add(part));
    }
  }

  /** Whether something of a checkpoint is lost, so that it cannot be read whole. Its past is for who goes back beyond it. */
  has(id: CheckpointId): boolean {
    return [...(this.#parts.get(id) ?? [])].some((part) => part !== "past");
  }

  /** @throws DamagedError if a part of the checkpoint is lost */
  require(id: CheckpointId, part: LostPart): void {
    if (this.#parts.get(id)?.has(part) !== true) return;
    throw new DamagedError({ store: STORES[part], key: JSON.stringify([this.#thread, this.#namespace, id]) });
  }
}
