const DAY_MS = 24 * 60 * 60 * 1000;

export interface Span {
  from: Date;
  to: Date;
}

/** The calendar day of a moment in a time zone, as YYYY-MM-DD. */
export function dayOf(moment: Date, timeZone: string): string {
  return new Date(localTime(moment, timeZone)).toISOString().slice(0, 10);
}

/** From the first moment of a day in a time zone to the first of the next. */
export function spanOfDay(day: string, timeZone: string): Span {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return {
    from: momentOf(midnight, timeZone),
    to: momentOf(midnight + DAY_MS, timeZone),
  };
}

/** Where a clock in the zone shows `local` (as if it were UTC). Twice, for the days on which the offset changes. */
function momentOf(local: number, timeZone: string): Date {
  let moment = local;
  for (let step = 0; step < 2; step++)
    moment = local - (localTime(new Date(moment), timeZone) - moment);
  return new Date(moment);
}

function localTime(moment: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment);
  const part = (type: string) => Number(parts.find((candidate) => candidate.type === type)?.value);
  return Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
    moment.getUTCMilliseconds(),
  );
}
