export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  if (low === undefined || high === undefined) throw new RangeError("no median of nothing");
  return (low + high) / 2;
}

/** The median of each of `parts` equal stretches. */
export function medians(values: readonly number[], parts: number): number[] {
  const length = values.length / parts;
  return Array.from({ length: parts }, (_, at) => median(values.slice(at * length, (at + 1) * length)));
}
