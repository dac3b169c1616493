const HOUR_MS = 3_600_000;

/** Periods to choose from, in hours. */
export const SPANS = ['1', '24', '168', '720'];

/** `24` hours ago in the API's format; undefined if nothing is chosen. */
export function sinceHours(hours: string): string | undefined {
  const number = Number(hours);
  if (!(number > 0)) return undefined;
  // Rounded to the minute, so that the next page sends the same value.
  return new Date(Math.floor((Date.now() - number * HOUR_MS) / 60_000) * 60_000).toISOString();
}

/** A `datetime-local` field uses the operator's time zone. */
export function toIso(local: string): string | undefined {
  const time = local ? new Date(local) : undefined;
  return time && Number.isFinite(time.getTime()) ? time.toISOString() : undefined;
}

/** The reverse, for a field. */
export function toLocal(iso: string | null): string {
  if (!iso) return '';
  const time = new Date(iso);
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
