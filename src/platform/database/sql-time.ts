const SECOND_MS = 1000;

let latest = { second: Number.NaN, text: '' };

/** A time as a string that MySQL and SQLite compare correctly in plain SQL. */
export function sqlTime(time: number | Date): string {
  const at = Math.trunc(Number(time));
  const second = Math.floor(at / SECOND_MS);
  // Most times are in the current second, and formatting a date takes longer than everything else here.
  if (second !== latest.second) latest = { second, text: toText(second) };
  return `${latest.text}.${String(at - second * SECOND_MS).padStart(3, '0')}`;
}

function toText(second: number): string {
  return new Date(second * SECOND_MS).toISOString().slice(0, 19).replace('T', ' ');
}

/** The drivers return a time as a Date or, with SQLite, as text in UTC. */
export function toTime(time: unknown): Date | null {
  if (time instanceof Date) return time;
  if (typeof time !== 'string') return null;
  return new Date(time.replace(' ', 'T').replace(/Z?$/, 'Z'));
}

export function toIsoTime(time: unknown): string | null {
  return toTime(time)?.toISOString() ?? null;
}
