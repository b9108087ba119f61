const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** Bytes in the unit that fits, of 1,000 as the browsers' own tools have it. */
export function bytes(count: number): string {
  const unit = count < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3));
  const value = count / 1000 ** unit;
  return `${value.toFixed(unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2)} ${UNITS[unit] ?? ""}`;
}

export const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });

export const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms).toString()} ms`;

export function times(many: number, few: number): string {
  const ratio = few === 0 ? 0 : many / few;
  return `${ratio >= 10 ? whole.format(ratio) : ratio.toFixed(1)}×`;
}

export const counted = (count: number, one: string, more = `${one}s`): string => `${whole.format(count)} ${count === 1 ? one : more}`;
