const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

/** The time of day for today, the day for anything older. */
export function shortTime(at: number | Date): string {
  const date = new Date(at);
  return (date.toDateString() === new Date().toDateString() ? time : day).format(date);
}

export function duration(ms: number): string {
  return ms < 1000 ? `${String(Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;
}
