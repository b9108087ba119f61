import { type Branch, type CheckpointId, keys, put, type Writing } from "../idb/index.ts";
import { type CheckpointRow, packCheckpoint } from "./checkpoint-row.ts";
import type { NamespaceState } from "./namespace.ts";
import { type Past, packPast } from "./past.ts";

/** Adds to the past of a checkpoint that has one what came after what is there. Gives by how many bytes the rows are more. */
export function extendPast(tx: Writing, space: NamespaceState, id: CheckpointId, row: CheckpointRow, more: Past): number {
  const { thread, name } = space;
  const { rows, branches } = row.past ?? { rows: 0, branches: [] };
  const added = packPast([thread, name, id], more, rows);
  for (const [index, sealed] of added.entries()) put(tx, "pasts", sealed, keys.past(thread, name, id, rows + index));
  const through = new Set([...branches, ...logsOf(more)]);
  through.delete(row.branch);
  const extended = { ...row, past: { rows: rows + added.length, branches: [...through] } };
  const [before, after] = [packCheckpoint([thread, name, id], row), packCheckpoint([thread, name, id], extended)];
  put(tx, "checkpoints", after, keys.checkpoint(thread, name, id));
  space.placed(id, extended, row);
  return added.reduce((sum, { length }) => sum + length, after.body.length - before.body.length);
}

function logsOf({ seeds, steps }: Past): Branch[] {
  const refs = [...seeds.values(), ...steps.flat().map(([, { ref }]) => ref)];
  return refs.flatMap((ref) => ("bytes" in ref ? [] : ref.pieces.map(({ log }) => log)));
}
