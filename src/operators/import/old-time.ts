const DATE =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T]+(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d+)?)?)?\s*(Z)?$/;
const COMPACT = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/;
const EARLIEST = Date.UTC(1980, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/**
 * A time in any of its old forms: unix seconds, milliseconds, DATETIME, `20190102030405`, `2019/1/2 3:04`. `offset`:
 * how many minutes the old clock was ahead of UTC. Null: none, or unreadable.
 */
export function parseOldTime(text: string, offset: number): Date | null {
  const trimmed = text.trim();
  const number = /^\d{9,10}(?:\.\d+)?$/.test(trimmed)
    ? Number(trimmed) * 1000
    : /^\d{12,13}$/.test(trimmed)
      ? Number(trimmed)
      : undefined;
  if (number !== undefined) return toPlausibleDate(number);
  const parts = COMPACT.exec(trimmed) ?? DATE.exec(trimmed);
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59) return null;
  const shift = parts[7] === 'Z' ? 0 : offset;
  return toPlausibleDate(Date.UTC(year, month - 1, day, hour, minute, second) - shift * 60_000);
}

/** `+08:00` in minutes. */
export function offsetMinutes(timezone: string): number {
  const [hours = 0, minutes = 0] = timezone.slice(1).split(':').map(Number);
  return (timezone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function toPlausibleDate(time: number): Date | null {
  return time >= EARLIEST && time < LATEST ? new Date(time) : null;
}
