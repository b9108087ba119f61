import { bytes, type Cell, ms, times } from "./table.ts";

/** A measured value against what it must keep to. */
export interface Claim {
  readonly what: string;
  readonly unit: "times" | "ms" | "bytes";
  /** Undefined where it could not be measured; `why` says why. */
  readonly value: number | undefined;
  readonly why?: string;
  readonly bound: { readonly atMost: number } | { readonly atLeast: number };
}

const shown = { times, ms: (value: number) => `${ms(value)} ms`, bytes };

export function valueOf({ value, unit, why }: Claim): Cell {
  return value === undefined ? (why ?? "not measured") : shown[unit](value);
}

export function boundOf({ bound, unit }: Claim): string {
  return "atMost" in bound ? `≤ ${shown[unit](bound.atMost)}` : `≥ ${shown[unit](bound.atLeast)}`;
}

export function isKept({ value, bound }: Claim): boolean {
  return value !== undefined && ("atMost" in bound ? value <= bound.atMost : value >= bound.atLeast);
}
