import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** Bytes that pages of this process's browsers have in memory, their workers included; undefined where the system does not say. */
function residentBytes(): number | undefined {
  try {
    const parents = new Map(readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid): [number, number][] => parentOf(pid)));
    const ours = (pid: number | undefined): boolean => pid !== undefined && (pid === process.pid || ours(parents.get(pid)));
    const pages = [...parents.keys()].filter((pid) => ours(pid) && isPage(pid));
    return pages.length === 0 ? undefined : pages.reduce((sum, pid) => sum + bytesOf(pid), 0);
  } catch {
    return undefined;
  }
}

function parentOf(pid: string): [number, number][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return [[Number(pid), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])]];
  } catch {
    return []; // It has ended.
  }
}

function isPage(pid: number): boolean {
  return /--type=renderer|-contentproc|WebKitWebProcess/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
}

function bytesOf(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
}

/** Runs `work`, and takes samples of the memory meanwhile. */
export async function whileSampling<T>(work: () => Promise<T>, everyMs = 200): Promise<{ result: T; samples: number[] }> {
  const samples: number[] = [];
  let over = false;
  const sampling = (async () => {
    while (!over) {
      const bytes = residentBytes();
      if (bytes !== undefined) samples.push(bytes);
      await setTimeout(everyMs);
    }
  })();
  try {
    return { result: await work(), samples };
  } finally {
    over = true;
    await sampling;
  }
}
