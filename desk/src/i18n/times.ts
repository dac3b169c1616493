const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** 45 s, 12 min, 3 h 20 min, 2 d 4 h: how long something has been waiting, in at most two units. */
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

/** 02:14:09 of today, Nov 14, 02:14:09 of another day, with the year where it is not this one. */
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
