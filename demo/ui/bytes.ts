const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** 340 B, 12 kB, 3.4 MB. */
export function byteSize(bytes: number): string {
  const power = Math.min(Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  return new Intl.NumberFormat("en", { style: "unit", unit: UNITS[power]!, unitDisplay: "short", maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 }).format(value);
}
