const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Formats a waiting time in at most two units, such as 45 s, 12 min or 3 h 20 min. */
export function span(seconds: number, languageTag: string): string {
  const whole = Math.max(0, Math.floor(seconds));
  const unit = (value: number, name: 'second' | 'minute' | 'hour' | 'day') =>
    new Intl.NumberFormat(languageTag, { style: 'unit', unit: name, unitDisplay: 'short' }).format(
      value,
    );
  if (whole < MINUTE) return unit(whole, 'second');
  if (whole < HOUR) return unit(Math.floor(whole / MINUTE), 'minute');
  if (whole < DAY)
    return both(
      unit(Math.floor(whole / HOUR), 'hour'),
      whole % HOUR >= MINUTE && unit(Math.floor((whole % HOUR) / MINUTE), 'minute'),
    );
  return both(
    unit(Math.floor(whole / DAY), 'day'),
    whole % DAY >= HOUR && unit(Math.floor((whole % DAY) / HOUR), 'hour'),
  );
}

function both(larger: string, smaller: string | false): string {
  return smaller ? `${larger} ${smaller}` : larger;
}

/**
 * Formats a time as 02:14:09 for today and as Nov 14, 02:14:09 for other days, with the year unless
 * it is the current year.
 */
export function moment(time: number, now: number, languageTag: string): string {
  const [then, today] = [new Date(time), new Date(now)];
  const isSameYear = then.getFullYear() === today.getFullYear();
  const isToday = then.toDateString() === today.toDateString();
  return then.toLocaleString(languageTag, {
    ...(!isSameYear && { year: 'numeric' }),
    ...(!isToday && { month: 'short', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
}
