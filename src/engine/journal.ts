import { type BlockKey, type Branch, type CheckpointId, idOf, isUuid, keys, put, ranges, type Reading, readByKeys, remove, type TaskId, type Writing } from "../idb/index.ts";
import type { Assumptions } from "./assumptions.ts";
import type { NamespaceState } from "./namespace.ts";
import { writesBytes } from "./memory.ts";
import { Recent } from "./recent.ts";
import { type Block, packBlock, packWrites, unpackBlock, unpackWrites, type Write, type Writes } from "./writes-row.ts";

/** Depths `[32 k, 32 k + 32)` of a branch make a block. */
const BLOCK = 32;

/** A block is packed when the branch is so far beyond it: by then hardly anything is written on its checkpoints. */
const LAG = 2 * BLOCK;

const BLOCK_BYTES = 60_000;

const KEPT_CHECKPOINTS = 1024;
const KEPT_BLOCKS = 512;

/** Of so few checkpoints the rows are read along with the blocks that may hold their writes instead. */
const FEW = 4;

const NONE: Writes = new Map();

/** The writes of checkpoints by task, where they are a row for each task. */
type Rows = Map<CheckpointId, Map<TaskId, readonly Write[]>>;

/** A checkpoint and where it is. */
export interface Place {
  readonly id: CheckpointId;
  readonly branch: Branch;
  readonly depth: number;
}

type Space = Pick<NamespaceState, "thread" | "name" | "tip" | "idsBetween" | "checkpoints" | "lost">;

interface Known {
  readonly tasks: Map<TaskId, readonly Write[]>;
  /** Whether that is all there is. */
  isComplete: boolean;
}

/**
 * The writes of a namespace. A checkpoint's are a row for each task, under the checkpoint's id, since they may come before it.
 * Once 32 checkpoints of a branch are well in the past, their rows are packed into one, under the place on the branch: so a
 * long history is read in few rows. The writes of a checkpoint are all packed or none of them.
 */
export class Journal {
  readonly #space: Space;
  readonly #known = new Recent<CheckpointId, Known>(KEPT_CHECKPOINTS, ({ tasks }) => writesBytes(tasks));
  /** Of checkpoints with greater ids, all writes are known: when this was learnt there were none. Only of ids that are UUIDs. */
  #floor: CheckpointId | undefined;
  /** By branch and number; undefined for one that is known not to be packed. */
  readonly #blocks = new Recent<string, Block | undefined>(KEPT_BLOCKS, blockBytes);

  constructor(space: Space) {
    this.#space = space;
  }

  /** About the memory that this holds. */
  get bytes(): number {
    return this.#known.bytes + this.#blocks.bytes;
  }

  /** Another tab has written. */
  forget(): void {
    this.#known.clear();
    this.#blocks.clear();
    this.#floor = undefined;
  }

  /** Learns which are the last writes, in the transaction that learns which is the newest checkpoint. */
  async learnLast(tx: Reading, newest: Promise<CheckpointId | undefined>): Promise<void> {
    const { thread, name } = this.#space;
    const [last, checkpoint] = await Promise.all([tx.objectStore("writes").openKeyCursor(ranges.uuids(thread, name), "prev"), newest]);
    const written = last === null ? "" : idOf<CheckpointId>(last.primaryKey[2]);
    this.#floor = (checkpoint !== undefined && checkpoint > written ? checkpoint : written) as CheckpointId;
  }

  /** The writes of some checkpoints, by checkpoint. */
  async read(tx: Reading, places: readonly Place[]): Promise<Map<CheckpointId, Writes>> {
    const [blocks, rows] = await Promise.all([this.#blocksOf(tx, places), places.length <= FEW ? this.#rowsOf(tx, this.#unknown(places)) : undefined]);
    const found = new Map<CheckpointId, Writes>();
    const missing: CheckpointId[] = [];
    for (const { id, branch, depth } of places) {
      this.#space.lost.require(id, "written");
      const block = blocks.get(nameOf(branch, blockOf(depth)));
      const known = this.#known.get(id);
      if (block !== undefined) found.set(id, block.get(depth) ?? NONE);
      else if (this.#isComplete(id, known)) found.set(id, known?.tasks ?? NONE);
      else missing.push(id);
    }
    for (const [id, writes] of rows === undefined ? await this.readRows(tx, missing) : this.#learnRows(rows, missing)) found.set(id, writes);
    return found;
  }

  /** Those whose writes are neither remembered nor known to be packed. */
  #unknown(places: readonly Place[]): CheckpointId[] {
    const unknown = places.filter(({ id, branch, depth }) => {
      return !this.#isComplete(id, this.#known.get(id)) && this.#blocks.get(nameOf(branch, blockOf(depth))) === undefined;
    });
    return unknown.map(({ id }) => id);
  }

  /** Reads the packed writes of a stretch of a branch, for who asks for them next. */
  async readBlocks(tx: Reading, branch: Branch, from: number, to: number): Promise<void> {
    await this.#blocksOf(tx, [{ branch, depth: from }, { branch, depth: to }]);
  }

  /** The writes that are not packed. */
  async readRows(tx: Reading, ids: readonly CheckpointId[]): Promise<Rows> {
    return this.#learnRows(await this.#rowsOf(tx, ids), ids);
  }

  #learnRows(rows: Rows, ids: readonly CheckpointId[]): Rows {
    const learnt = new Map(ids.map((id) => [id, rows.get(id) ?? new Map<TaskId, readonly Write[]>()]));
    for (const [id, tasks] of learnt) this.#learn(id, { tasks, isComplete: true });
    return learnt;
  }

  async #rowsOf(tx: Reading, ids: readonly CheckpointId[]): Promise<Rows> {
    const { thread, name } = this.#space;
    const found: Rows = new Map(ids.map((id) => [id, new Map<TaskId, readonly Write[]>()]));
    await readByKeys(tx.objectStore("writes"), ids.map((id) => keys.checkpoint(thread, name, id)), (key, row) => {
      const [id, task] = [idOf<CheckpointId>(key[2]), idOf<TaskId>(key[3])];
      found.get(id)?.set(task, unpackWrites([thread, name, id, task], row));
    });
    return found;
  }

  /** What a task has written on a checkpoint so far. `place` is absent for a checkpoint that is not there yet. */
  async ofTask(tx: Reading, id: CheckpointId, place: Place | undefined, task: TaskId, assumptions: Assumptions): Promise<readonly Write[]> {
    const block = place && (await this.#packed(tx, place));
    if (block !== undefined) return block.get(place!.depth)?.get(task) ?? [];
    const known = this.#known.get(id);
    if (this.#isComplete(id, known) || known?.tasks.has(task) === true) return known?.tasks.get(task) ?? [];
    const { thread, name } = this.#space;
    const stored = tx.objectStore("writes").get(keys.writes(thread, name, id, task));
    if (assumptions.allowed) {
      assumptions.assume(stored.then((row) => row === undefined));
      return [];
    }
    const row = await stored;
    return row === undefined ? [] : unpackWrites([thread, name, id, task], row);
  }

  /** Stores what a task has written on a checkpoint, all of it. Gives the bytes written. */
  async put(tx: Writing, id: CheckpointId, place: Place | undefined, task: TaskId, writes: readonly Write[]): Promise<number> {
    const block = place && (await this.#packed(tx, place));
    if (block !== undefined) return this.#putBlock(tx, place!.branch, blockOf(place!.depth), withTask(block, place!.depth, task, writes));
    const { thread, name } = this.#space;
    const row = packWrites([thread, name, id, task], writes);
    put(tx, "writes", row, keys.writes(thread, name, id, task));
    const known = this.#known.get(id) ?? { tasks: new Map(), isComplete: this.#isComplete(id, undefined) };
    known.tasks.set(task, writes);
    this.#learn(id, known);
    return row.length;
  }

  #isComplete(id: CheckpointId, known: Known | undefined): boolean {
    return known?.isComplete === true || (this.#floor !== undefined && id > this.#floor && isUuid(id));
  }

  #learn(id: CheckpointId, known: Known): void {
    const forgotten = this.#known.set(id, known);
    if (forgotten !== undefined && this.#floor !== undefined && forgotten > this.#floor) this.#floor = forgotten;
  }

  /**
   * To be called when a branch has grown to a depth: packs the block that is so far in the past now. Leaves it as it is if
   * it has a gap, or cannot be read, or would make too large a row. Gives by how many bytes the rows are more.
   */
  async pack(tx: Writing, branch: Branch, depth: number): Promise<number> {
    if (depth < LAG || depth % BLOCK !== 0) return 0;
    const number = (depth - LAG) / BLOCK;
    const ids = await this.#idsOf(tx, branch, number).catch(() => []);
    if (ids.length < BLOCK || (await this.#blockAt(tx, { branch, depth: depth - LAG })) !== undefined) return 0;
    const writes = await this.readRows(tx, ids).catch(() => undefined);
    if (writes === undefined) return 0;
    const block = new Map(ids.map((id, index) => [number * BLOCK + index, writes.get(id) ?? NONE]));
    const row = packBlock([this.#space.thread, this.#space.name, branch, number], block);
    if (row.length > BLOCK_BYTES) return 0;
    const { thread, name } = this.#space;
    let unpacked = 0;
    for (const id of ids) {
      if (writes.get(id)!.size > 0) remove(tx, "writes", ranges.under(thread, name, id));
      for (const [task, ofTask] of writes.get(id)!) unpacked += packWrites([thread, name, id, task], ofTask).length;
      this.#known.delete(id);
    }
    return this.#putBlock(tx, branch, number, block, row) - unpacked;
  }

  /** To be called when a checkpoint leaves its place: unpacks its block, which is a block no more. Gives the bytes written. */
  async unpack(tx: Writing, place: Place): Promise<number> {
    let bytes = 0;
    const block = await this.#packed(tx, place);
    if (block === undefined) return bytes;
    const number = blockOf(place.depth);
    const rows = await this.#space.checkpoints(tx, await this.#idsOf(tx, place.branch, number));
    remove(tx, "blocks", [this.#space.thread, this.#space.name, place.branch, number]);
    this.#blocks.set(nameOf(place.branch, number), undefined);
    for (const [id, { depth }] of rows) {
      for (const [task, writes] of block.get(depth) ?? NONE) bytes += await this.put(tx, id, undefined, task, writes);
    }
    return bytes;
  }

  #idsOf(tx: Reading, branch: Branch, block: number): Promise<readonly CheckpointId[]> {
    return this.#space.idsBetween(tx, branch, block * BLOCK, block * BLOCK + BLOCK - 1);
  }

  async #packed(tx: Reading, place: Place): Promise<Block | undefined> {
    const tip = await this.#space.tip(tx, place.branch);
    return tip <= place.depth + BLOCK ? undefined : this.#blockAt(tx, place);
  }

  async #blockAt(tx: Reading, place: Omit<Place, "id">): Promise<Block | undefined> {
    return (await this.#blocksOf(tx, [place])).get(nameOf(place.branch, blockOf(place.depth)));
  }

  /** The blocks that places are in, by name, as far as they are packed. */
  async #blocksOf(tx: Reading, places: readonly Omit<Place, "id">[]): Promise<Map<string, Block>> {
    const found = new Map<string, Block>();
    const missing = new Map<Branch, { from: number; to: number; wanted: Set<number> }>();
    for (const { branch, depth } of places) {
      const number = blockOf(depth);
      const name = nameOf(branch, number);
      const known = this.#blocks.get(name);
      if (known !== undefined) found.set(name, known);
      if (this.#blocks.has(name)) continue;
      const { from, to, wanted } = missing.get(branch) ?? { from: number, to: number, wanted: new Set() };
      missing.set(branch, { from: Math.min(from, number), to: Math.max(to, number), wanted: wanted.add(number) });
    }
    const store = tx.objectStore("blocks");
    await Promise.all(
      [...missing].map(async ([branch, { from, to, wanted }]) => {
        const range = ranges.blocks(this.#space.thread, this.#space.name, branch, from, to);
        const [stored, rows] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
        const packed = new Map(stored.map((key, index) => [key[3], index]));
        for (let number = from; number <= to; number++) {
          const name = nameOf(branch, number);
          const index = packed.get(number);
          if (index === undefined) this.#blocks.set(name, undefined);
          else {
            const block = readable(() => unpackBlock(stored[index]!, rows[index]), wanted.has(number));
            if (block === undefined) continue;
            this.#blocks.set(name, block);
            found.set(name, block);
          }
        }
      }),
    );
    return found;
  }

  #putBlock(tx: Writing, branch: Branch, number: number, block: Block, row?: ReturnType<typeof packBlock>): number {
    const key: BlockKey = [this.#space.thread, this.#space.name, branch, number];
    const packed = row ?? packBlock(key, block);
    put(tx, "blocks", packed, key);
    this.#blocks.set(nameOf(branch, number), block);
    return packed.length;
  }
}

/** What `read` gives. Of a row that is only read along with others, a fault is for whoever wants it. */
function readable<T>(read: () => T, isWanted: boolean): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isWanted) throw error;
    return undefined;
  }
}

function blockBytes(block: Block | undefined): number {
  let sum = 0;
  for (const writes of block?.values() ?? []) sum += writesBytes(writes);
  return sum;
}

function withTask(block: Block, depth: number, task: TaskId, writes: readonly Write[]): Block {
  return new Map([...block, [depth, new Map([...(block.get(depth) ?? NONE), [task, writes]])]]);
}

/** Whether a block is one that a branch with its last checkpoint at a depth has packed. */
export function isPast(block: number, tip: number): boolean {
  return tip >= block * BLOCK + LAG;
}

export function blockOf(depth: number): number {
  return Math.floor(depth / BLOCK);
}

function nameOf(branch: Branch, block: number): string {
  return `${branch} ${block}`;
}
