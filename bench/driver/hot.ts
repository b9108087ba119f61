import type { CpuProfile } from "./sampler.ts";

export interface Hot {
  readonly what: string;
  readonly ms: number;
}

/** Where a profile's time went: by function alone, by function with what it called, by party (a chunk of the build). */
export interface Heat {
  readonly self: readonly Hot[];
  readonly total: readonly Hot[];
  readonly party: readonly Hot[];
}

export function heatOf(profile: CpuProfile): Heat {
  const selfMs = new Map<number, number>();
  for (const [at, id] of (profile.samples ?? []).entries()) {
    selfMs.set(id, (selfMs.get(id) ?? 0) + (profile.timeDeltas?.[at + 1] ?? 0) / 1000);
  }
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const children = new Set(profile.nodes.flatMap((node) => node.children ?? []));
  const [self, total, party] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];

  const visit = (id: number, above: ReadonlySet<string>): number => {
    const node = nodes.get(id);
    if (node === undefined) return 0;
    const { functionName, url, lineNumber } = node.callFrame;
    const chunk = /([^/]+)\.js$/.exec(url)?.[1] ?? "";
    const what = url === "" ? functionName : `${functionName || "(anonymous)"} ${chunk}:${lineNumber + 1}`;
    const own = selfMs.get(id) ?? 0;
    add(self, what, own);
    add(party, chunk === "" ? functionName || "(native)" : chunk, own);
    const within = new Set(above).add(what);
    const sum = (node.children ?? []).reduce((ms, child) => ms + visit(child, within), own);
    if (!above.has(what)) add(total, what, sum);
    return sum;
  };
  for (const { id } of profile.nodes) if (!children.has(id)) visit(id, new Set());
  return { self: sorted(self), total: sorted(total), party: sorted(party) };
}

const add = (sums: Map<string, number>, what: string, ms: number) => sums.set(what, (sums.get(what) ?? 0) + ms);

const sorted = (sums: ReadonlyMap<string, number>): Hot[] =>
  [...sums].map(([what, ms]) => ({ what, ms })).sort((a, b) => b.ms - a.ms);
