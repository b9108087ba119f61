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
