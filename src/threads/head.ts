/** What a checkpoint is besides its channels, stored as one value. Every row has one, so the names are short. */
export interface Head<Metadata = Readonly<Record<string, unknown>>> {
  readonly v: number;
  /** As milliseconds since 1970, if that says the same. */
  readonly t: number | string;
  readonly seen: Record<string, Record<string, number | string>>;
  readonly metadata: Metadata;
}

export function headOf<Metadata>(
  { v, ts, versions_seen }: { readonly v: number; readonly ts: string; readonly versions_seen: Head["seen"] },
  metadata: Metadata,
): Head<Metadata> {
  const time = Date.parse(ts);
  return { v, t: Number.isNaN(time) || new Date(time).toISOString() !== ts ? ts : time, seen: versions_seen, metadata };
}

export function timestampOf({ t }: Head<unknown>): string {
  return typeof t === "number" ? new Date(t).toISOString() : t;
}

/** The latest time that a Date can be. */
const LAST = 8.64e15;

export function isHead<Metadata>(value: unknown): value is Head<Metadata> {
  const { v, t, seen, metadata } = (value ?? {}) as Partial<Head<unknown>>;
  const isTime = typeof t === "string" || (typeof t === "number" && Math.abs(t) <= LAST);
  return typeof v === "number" && isTime && typeof seen === "object" && seen !== null && typeof (metadata ?? {}) === "object";
}
