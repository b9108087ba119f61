import type { Revision } from "./thread-row.ts";

/** Where there are no locks, what an import has not written to for so long is taken for left behind, ms. */
const LEFT_AFTER_MS = 10 * 60_000;

function nameOf(database: string, transfer: string): string {
  return `langgraph-checkpoint-indexeddb import ${JSON.stringify([database, transfer])}`;
}

function locksHere(): LockManager | undefined {
  return (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
}

/** Says to all tabs and workers that an import is under way, until the function that it gives is called, or this realm ends. */
export function announceImport(database: string, transfer: string): () => void {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  locksHere()?.request(nameOf(database, transfer), () => ended).catch(() => undefined); // Where locks may not be used, time tells.
  return end;
}

/** Gives the test for what is left of imports that ended without a word. */
export async function leftBehind(database: string): Promise<(revision: Revision) => boolean> {
  const locks = await locksHere()?.query().catch(() => undefined);
  const held = new Set([...(locks?.held ?? []), ...(locks?.pending ?? [])].map(({ name }) => name));
  return ({ import: transfer, updated }) => transfer !== undefined && (locks === undefined ? updated < Date.now() - LEFT_AFTER_MS : !held.has(nameOf(database, transfer)));
}
