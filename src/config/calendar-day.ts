const HOUR_MS = 60 * 60 * 1000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day it is there, such as 2026-11-15. */
export function dayIn(timezone: string, at: Date): string {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
    formats.set(timezone, format);
  }
  return format.format(at);
}

/** From the first moment of a day to the first of the next. */
export function spanOfDay(timezone: string, day: string): { from: Date; to: Date } {
  return { from: startOf(timezone, day), to: startOf(timezone, dayAfter(day)) };
}

export function secondsToNextDay(timezone: string, at: Date): number {
  const { to } = spanOfDay(timezone, dayIn(timezone, at));
  return (to.getTime() - at.getTime()) / 1000;
}

/** Found by trying, not by adding up hours: days on which clocks change are right as well. */
function startOf(timezone: string, day: string): Date {
  const midnightInUtc = Date.parse(day);
  // No place is further than this from UTC.
  let before = midnightInUtc - 16 * HOUR_MS;
  let within = midnightInUtc + 16 * HOUR_MS;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (dayIn(timezone, new Date(middle)) < day) before = middle;
    else within = middle;
  }
  return new Date(within);
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 24 * HOUR_MS).toISOString().slice(0, 10);
}
