const HOUR_MS = 3_600_000;

/** Spans to choose from, in hours. */
export const SPANS = ['1', '24', '168', '720'];

/** `24` hours ago as the API wants it; nothing where nothing was chosen. */
export function sinceHours(hours: string): string | undefined {
  const number = Number(hours);
  if (!(number > 0)) return undefined;
  // On the minute, so that the next page asks for the same.
  return new Date(Math.floor((Date.now() - number * HOUR_MS) / 60_000) * 60_000).toISOString();
}

/** What a `datetime-local` field holds is of the operator's time zone. */
export function toIso(local: string): string | undefined {
  const time = local ? new Date(local) : undefined;
  return time && Number.isFinite(time.getTime()) ? time.toISOString() : undefined;
}

/** The other way round, for a field. */
export function toLocal(iso: string | null): string {
  if (!iso) return '';
  const time = new Date(iso);
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
