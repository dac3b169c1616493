export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;
const LAST_DATE_MS = 8_640_000_000_000_000;

/** The result is at most the latest date that JavaScript can represent. */
export function endOfPause(pausedAt: Date, hours: number): Date {
  return new Date(Math.min(pausedAt.getTime() + hours * HOUR_MS, LAST_DATE_MS));
}

/** Measures windows and locks, which must not get longer if the system clock is set back. Tests advance this clock. */
export const monotonicClock = { now: () => performance.now() };

const formats = new Map<string, Intl.DateTimeFormat>();

export function localDay(timezone: string, at: Date): string {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
    formats.set(timezone, format);
  }
  return format.format(at);
}

/** Returns the date of `today` or `yesterday` in a time zone. Any other text is returned unchanged. */
export function calendarDay(timezone: string, day: string, now = new Date()): string {
  if (day !== 'today' && day !== 'yesterday') return day;
  return shiftDay(localDay(timezone, now), day === 'today' ? 0 : -1);
}

export function dayBounds(timezone: string, day: string): { from: Date; to: Date } {
  return { from: startOfDay(timezone, day), to: startOfDay(timezone, shiftDay(day, 1)) };
}

/** Returns the dates from the day of `since` to today, newest first. */
export function daysFrom(timezone: string, since: Date, now = new Date()): string[] {
  const first = localDay(timezone, since);
  const days: string[] = [];
  for (let day = localDay(timezone, now); day >= first; day = shiftDay(day, -1)) days.push(day);
  return days;
}

export function secondsUntilNextDay(timezone: string, at: Date): number {
  const { to } = dayBounds(timezone, localDay(timezone, at));
  return (to.getTime() - at.getTime()) / 1000;
}

/** Searches for the start instead of calculating it, so that the result is right on days with a clock change. */
function startOfDay(timezone: string, day: string): Date {
  const midnightInUtc = Date.parse(day);
  // No time zone is more than 16 hours away from UTC.
  let before = midnightInUtc - 16 * HOUR_MS;
  let within = midnightInUtc + 16 * HOUR_MS;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (localDay(timezone, new Date(middle)) < day) before = middle;
    else within = middle;
  }
  return new Date(within);
}

function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

export function formatMinute(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}

/** Formats a time in UTC and, if the settings have another time zone, also in that one. */
export function describeTime(time: Date, timezone: string): string {
  const utc = `${formatMinute(time)} UTC`;
  const format = { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' } as const;
  const local = new Intl.DateTimeFormat('sv-SE', format).format(time);
  return local === formatMinute(time) ? utc : `${utc} (${local} in ${timezone})`;
}
