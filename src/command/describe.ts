import type { ArchivedNamespace, Inspection } from "../archive/inspect.ts";

/** What a file holds, for people: a line for each thread, and one for each of its namespaces. */
export function describe({ written, bytes, threads }: Inspection): string {
  const lines = [`${threads.length} ${plural(threads.length, "thread")}, ${size(bytes)}, exported ${written.toISOString()}`];
  for (const { id, title, created, updated, namespaces } of threads) {
    lines.push("", `${shown(id)}${title === undefined ? "" : `  ${shown(title)}`}`, `  created ${created.toISOString()}, updated ${updated.toISOString()}`);
    for (const namespace of namespaces) lines.push(`  ${namespace.name === "" ? "graph" : `subgraph ${shown(namespace.name)}`}: ${counts(namespace)}`);
  }
  return `${lines.join("\n")}\n\nThe file is in order.\n`;
}

function counts({ checkpoints, branches, writes, pasts, elements, bytes, newest }: ArchivedNamespace): string {
  const parts = [
    `${checkpoints} ${plural(checkpoints, "checkpoint")}`,
    `${branches} ${branches === 1 ? "branch" : "branches"}`,
    `${writes} ${plural(writes, "write")}`,
    ...(pasts === 0 ? [] : [`${pasts} ${plural(pasts, "past")}`]),
    `${elements} ${plural(elements, "element")}`,
    `${size(bytes)} unpacked`,
  ];
  return `${parts.join(", ")}${newest === undefined ? "" : `, newest ${shown(newest)}`}`;
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(2)} MB`;
}

/** Ids and titles are whatever somebody wrote: none of it may move the cursor. */
function shown(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
