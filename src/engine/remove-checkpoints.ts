import { type BlockKey, type Branch, type Channel, type CheckpointId, keys, ranges, type Reading, type TaskId } from "../idb/index.ts";
import { type CheckpointRow, packCheckpoint } from "./checkpoint-row.ts";
import { blockName, type Holdings, readHoldings } from "./holdings.ts";
import { blockOf, isPast } from "./journal.ts";
import type { Ledger } from "./ledger.ts";
import type { Losses } from "./lost.ts";
import type { NamespaceState } from "./namespace.ts";
import { packPast, type Past, type StepOfPast } from "./past.ts";
import { reclaim, Referred } from "./reclaim.ts";
import type { Ref } from "./ref.ts";
import { packBlock, packWrites, type Write, type Writes } from "./writes-row.ts";

/** LangGraph's own: what was put there is used up by the next step, and never rebuilt from a history. */
const USED_UP = new Set(["__input__", "__start__", "__no_writes__"]);
const EDGE = "branch:to:";

/** The sends of a step, which checkpoints before version 4 of LangGraph's format have from the writes on their parent. */
const SENDS = "__pregel_tasks";

type Space = Pick<NamespaceState, "thread" | "name" | "lost">;

export interface Removal {
  readonly remove: readonly CheckpointId[];
  /** Whether content that nothing refers to is given back now, or by a later removal. */
  readonly reclaim: boolean;
}

/**
 * Removes checkpoints of a namespace with what was written on them. Each one that stays keeps its state: where its parent goes, it
 * gets a past, which holds what its history was. Gives those that went.
 *
 * @throws DamagedError if what a past would hold cannot be read, or is lost: then nothing goes
 */
export async function removeCheckpoints(tx: Reading, { thread, name, lost }: Space, removal: Removal, ledger: Ledger): Promise<readonly CheckpointId[]> {
  const held = await readHoldings(tx, thread, name);
  const going = new Set(removal.remove.filter((id) => held.checkpoints.has(id)));
  const left = new Remaining(held, going, lost, ledger);
  if (going.size > 0) {
    left.carryPasts();
    left.dropRows();
    left.tidyBlocks();
  }
  if (removal.reclaim) await reclaim(tx, thread, name, left.referred(), ledger);
  return [...going];
}

/** What is left of the holdings, as the ledger is told. */
class Remaining {
  readonly #held: Holdings;
  readonly #going: ReadonlySet<CheckpointId>;
  readonly #lost: Losses;
  readonly #ledger: Ledger;
  readonly #pasts = new Map<CheckpointId, Past>();

  constructor(held: Holdings, going: ReadonlySet<CheckpointId>, lost: Losses, ledger: Ledger) {
    this.#held = held;
    this.#going = going;
    this.#lost = lost;
    this.#ledger = ledger;
    for (const [id, { value }] of held.pasts) if (!going.has(id)) this.#pasts.set(id, value);
  }

  carryPasts(): void {
    const { thread, namespace, checkpoints } = this.#held;
    for (const [id, { value: row, bytes }] of checkpoints) {
      if (this.#going.has(id) || row.past !== undefined || row.parent === undefined || !this.#going.has(row.parent)) continue;
      const { past, branches } = this.#pastOf(id, row);
      const rows = packPast([thread, namespace, id], past);
      for (const [part, sealed] of rows.entries()) this.#ledger.put("pasts", sealed, keys.past(thread, namespace, id, part), sealed.length);
      const record = packCheckpoint([thread, namespace, id], { ...row, past: { rows: rows.length, branches } });
      this.#ledger.put("checkpoints", record, keys.checkpoint(thread, namespace, id), record.body.length - bytes);
      this.#pasts.set(id, past);
    }
  }

  /** The walk along its ancestors, for every channel that it has no value of. */
  #pastOf(id: CheckpointId, { channels, parent, branch }: CheckpointRow): { past: Past; branches: Branch[] } {
    const closed = new Set<Channel>(channels.filter(({ ref }) => ref !== undefined).map(({ name }) => name));
    const seeds = new Map<Channel, Ref>();
    const steps: StepOfPast[] = [];
    const branches = new Set([branch]);
    const visited = new Set([id]);
    const isOpen = (channel: Channel) => !closed.has(channel) && !USED_UP.has(channel) && !channel.startsWith(EDGE);
    const stepOf = (writes: Writes, isParent: boolean): StepOfPast =>
      [...writes].flatMap(([task, ofTask]) =>
        ofTask.filter(({ index, channel }) => index >= 0 && isOpen(channel) && (channel !== SENDS || isParent)).map((write): readonly [TaskId, Write] => [task, write]),
      );
    for (let next = parent; next !== undefined && !visited.has(next); ) {
      const row = this.#held.checkpoints.get(next)?.value;
      if (row === undefined) break;
      visited.add(next);
      branches.add(row.branch);
      this.#lost.require(next, "written");
      steps.push(stepOf(this.#held.writesOn(next), next === parent));
      const stored = row.channels.flatMap(({ name, ref }) => (ref !== undefined && isOpen(name) ? [{ name, ref }] : []));
      for (const { name, ref } of stored) {
        if (name !== SENDS) seeds.set(name, ref);
        closed.add(name);
      }
      if (row.past !== undefined) {
        this.#lost.require(next, "past");
        const { seeds: earlier, steps: before } = this.#held.pasts.get(next)?.value ?? { seeds: new Map<Channel, Ref>(), steps: [] };
        for (const [channel, ref] of earlier) if (isOpen(channel)) seeds.set(channel, ref);
        for (const step of [...before].reverse()) steps.push(step.filter(([, { channel }]) => isOpen(channel) && channel !== SENDS));
        for (const each of row.past.branches) branches.add(each);
        break;
      }
      next = row.parent;
    }
    branches.delete(branch);
    return { past: { seeds, steps: steps.filter((step) => step.length > 0).reverse() }, branches: [...branches] };
  }

  dropRows(): void {
    const { thread, namespace, checkpoints, writes, pasts } = this.#held;
    for (const id of this.#going) {
      this.#ledger.remove("checkpoints", keys.checkpoint(thread, namespace, id), checkpoints.get(id)!.bytes);
      const tasks = writes.get(id);
      if (tasks !== undefined) this.#ledger.remove("writes", ranges.under(thread, namespace, id), sum([...tasks.values()].map(({ bytes }) => bytes)));
      const past = pasts.get(id);
      if (past !== undefined) this.#ledger.remove("pasts", ranges.under(thread, namespace, id), sum(past.rows.map(({ length }) => length)));
    }
  }

  /** Blocks keep what was written on checkpoints that stay, and are rows again where the branch is not long enough for them any more. */
  tidyBlocks(): void {
    const { thread, namespace, blocks, checkpoints } = this.#held;
    const places = new Map<string, Map<number, CheckpointId>>();
    const tips = new Map<Branch, number>();
    for (const [id, { value: { branch, depth } }] of checkpoints) {
      if (this.#going.has(id)) continue;
      const name = blockName(branch, blockOf(depth));
      places.set(name, (places.get(name) ?? new Map<number, CheckpointId>()).set(depth, id));
      tips.set(branch, Math.max(tips.get(branch) ?? -1, depth));
    }
    for (const [name, { branch, number, value, bytes }] of blocks) {
      const there = places.get(name) ?? new Map<number, CheckpointId>();
      const left = new Map([...value].filter(([depth, writes]) => there.has(depth) && writes.size > 0));
      const isPacked = there.size > 0 && isPast(number, tips.get(branch) ?? -1);
      if (isPacked && left.size === value.size) continue;
      const key: BlockKey = [thread, namespace, branch, number];
      this.#ledger.remove("blocks", key, bytes);
      if (isPacked) {
        const row = packBlock(key, left);
        this.#ledger.put("blocks", row, key, row.length);
      } else {
        for (const [depth, tasks] of left) this.#putWrites(there.get(depth)!, tasks);
      }
    }
  }

  #putWrites(id: CheckpointId, tasks: Writes): void {
    const { thread, namespace } = this.#held;
    for (const [task, writes] of tasks) {
      const row = packWrites([thread, namespace, id, task], writes);
      this.#ledger.put("writes", row, keys.writes(thread, namespace, id, task), row.length);
    }
  }

  /** What checkpoints that stay, writes on them or on ones that are to come, and pasts refer to. */
  referred(): Referred {
    const referred = new Referred();
    const add = (writes: Iterable<Write>) => {
      for (const { channel, ref } of writes) referred.add(channel, ref);
    };
    for (const [id, { value: { channels } }] of this.#held.checkpoints) {
      if (this.#going.has(id)) continue;
      for (const { name, ref } of channels) referred.add(name, ref);
      for (const writes of this.#held.writesOn(id).values()) add(writes);
    }
    for (const [id, tasks] of this.#held.writes) if (!this.#going.has(id)) for (const { value } of tasks.values()) add(value);
    for (const { seeds, steps } of this.#pasts.values()) {
      for (const [channel, ref] of seeds) referred.add(channel, ref);
      for (const step of steps) add(step.map(([, write]) => write));
    }
    return referred;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
