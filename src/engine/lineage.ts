import type { Branch, CheckpointId } from "../idb/index.ts";
import { ID_BYTES } from "./memory.ts";

/** So many ids of a branch are remembered: some megabytes. */
const MOST = 50_000;

type Read = (from: number, to: number) => Promise<CheckpointId[]>;

/** Of each branch one stretch of checkpoints without a gap, as far as this realm knows it. */
export class Lineage {
  readonly #stretches = new Map<Branch, { readonly first: number; readonly ids: CheckpointId[] }>();

  /** About the memory that this holds. */
  get bytes(): number {
    let count = 0;
    for (const { ids } of this.#stretches.values()) count += ids.length;
    return count * ID_BYTES;
  }

  clear(): void {
    this.#stretches.clear();
  }

  /** A checkpoint was put at the end of its branch. */
  add(branch: Branch, depth: number, id: CheckpointId): void {
    const known = this.#stretches.get(branch);
    if (known !== undefined && known.first + known.ids.length === depth && known.ids.length < MOST) known.ids.push(id);
    else this.#stretches.set(branch, { first: depth, ids: [id] });
  }

  /** The ids at depths, both included: what is not known of them is read. */
  async between(branch: Branch, from: number, to: number, read: Read): Promise<readonly CheckpointId[]> {
    const { first, ids } = this.#stretches.get(branch) ?? { first: 0, ids: [] };
    if (to < first || to >= first + ids.length) return this.#keep(branch, from, to, await read(from, to));
    if (from >= first) return ids.slice(from - first, to - first + 1);
    const before = await read(from, first - 1);
    this.#keep(branch, from, first + ids.length - 1, [...before, ...ids]);
    return [...before, ...ids.slice(0, to - first + 1)];
  }

  /** Remembers a stretch, unless it has gaps, or is too long, or shorter than what is known. */
  #keep(branch: Branch, from: number, to: number, ids: CheckpointId[]): CheckpointId[] {
    const known = this.#stretches.get(branch)?.ids.length ?? 0;
    if (ids.length === to - from + 1 && ids.length > known && ids.length <= MOST) this.#stretches.set(branch, { first: from, ids });
    return ids;
  }
}
