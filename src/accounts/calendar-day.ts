const formats = new Map<string, Intl.DateTimeFormat>();
// A day has up to 25 hours where clocks are put back.
const LONGEST_DAY_MS = 26 * 60 * 60 * 1000;

/** The day it is there, such as 2026-11-15. */
export function dayIn(timezone: string, at: Date): string {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
    formats.set(timezone, format);
  }
  return format.format(at);
}

/** Found by trying, not by adding up hours: days on which clocks change are right as well. */
export function secondsToNextDay(timezone: string, at: Date): number {
  const today = dayIn(timezone, at);
  let within = 0;
  let beyond = LONGEST_DAY_MS;
  while (beyond - within > 1) {
    const middle = Math.floor((within + beyond) / 2);
    if (dayIn(timezone, new Date(at.getTime() + middle)) === today) within = middle;
    else beyond = middle;
  }
  return beyond / 1000;
}
