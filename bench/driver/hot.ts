import type { Origins } from "./origin.ts";
import type { CpuProfile } from "./sampler.ts";

export interface Hot {
  readonly what: string;
  readonly ms: number;
}

/** Where a profile's time went: by function alone, by function of ours with what it called, by party. */
export interface Heat {
  readonly self: readonly Hot[];
  readonly ours: readonly Hot[];
  readonly party: readonly Hot[];
}

export function heatOf(profile: CpuProfile, origins: Origins): Heat {
  const selfMs = new Map<number, number>();
  for (const [at, id] of (profile.samples ?? []).entries()) {
    selfMs.set(id, (selfMs.get(id) ?? 0) + (profile.timeDeltas?.[at + 1] ?? 0) / 1000);
  }
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const children = new Set(profile.nodes.flatMap((node) => node.children ?? []));
  const [self, ours, party] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];

  const visit = (id: number, above: ReadonlySet<string>): number => {
    const node = nodes.get(id);
    if (node === undefined) return 0;
    const { functionName, url, lineNumber, columnNumber } = node.callFrame;
    const origin = origins.of(url, lineNumber, columnNumber);
    const what = origin === undefined ? functionName : `${functionName || "(anonymous)"} ${origin.place}`;
    const own = selfMs.get(id) ?? 0;
    add(self, what, own);
    add(party, origin?.party ?? (functionName || "(native)"), own);
    const within = new Set(above).add(what);
    const sum = (node.children ?? []).reduce((ms, child) => ms + visit(child, within), own);
    if (origin?.party.startsWith("src/") && !above.has(what)) add(ours, what, sum);
    return sum;
  };
  for (const { id } of profile.nodes) if (!children.has(id)) visit(id, new Set());
  return { self: sorted(self), ours: sorted(ours), party: sorted(party) };
}

const add = (sums: Map<string, number>, what: string, ms: number) => sums.set(what, (sums.get(what) ?? 0) + ms);

const sorted = (sums: ReadonlyMap<string, number>): Hot[] =>
  [...sums].map(([what, ms]) => ({ what, ms })).sort((a, b) => b.ms - a.ms);
