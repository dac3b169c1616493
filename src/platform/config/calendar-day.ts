const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local date in a time zone, such as 2026-11-15. */
export function localDay(timezone: string, at: Date): string {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
    formats.set(timezone, format);
  }
  return format.format(at);
}

/** First moment of a local day, and of the next one. */
export function dayBounds(timezone: string, day: string): { from: Date; to: Date } {
  return { from: startOfDay(timezone, day), to: startOfDay(timezone, nextDay(day)) };
}

export function secondsUntilNextDay(timezone: string, at: Date): number {
  const { to } = dayBounds(timezone, localDay(timezone, at));
  return (to.getTime() - at.getTime()) / 1000;
}

/** Binary search instead of arithmetic, so that days with a clock change are right too. */
function startOfDay(timezone: string, day: string): Date {
  const midnightInUtc = Date.parse(day);
  // No time zone is further than this from UTC.
  let before = midnightInUtc - 16 * HOUR_MS;
  let within = midnightInUtc + 16 * HOUR_MS;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (localDay(timezone, new Date(middle)) < day) before = middle;
    else within = middle;
  }
  return new Date(within);
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}
