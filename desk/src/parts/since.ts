const HOUR_MS = 3_600_000;

export const SPANS = ['1', '24', '168', '720'];

/** Returns the time this many hours ago in the API's format, or undefined if nothing is chosen. */
export function sinceHours(hours: string): string | undefined {
  const number = Number(hours);
  if (!(number > 0)) return undefined;
  // The time is rounded to the minute, so that the next page sends the same value.
  return new Date(Math.floor((Date.now() - number * HOUR_MS) / 60_000) * 60_000).toISOString();
}

/**
 * Converts the value of a `datetime-local` field, which is in the operator's time zone, for the
 * API.
 */
export function toIso(local: string): string | undefined {
  const time = local ? new Date(local) : undefined;
  return time && Number.isFinite(time.getTime()) ? time.toISOString() : undefined;
}

/** Converts a time from the API for a `datetime-local` field. */
export function toLocal(iso: string | null): string {
  if (!iso) return '';
  const time = new Date(iso);
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
