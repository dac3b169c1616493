/** Formats a duration such as 1 minute, 90 seconds or 90 秒钟. Whole minutes are shown as minutes. */
export function duration(seconds: number, languageTag: string): string {
  const inMinutes = seconds >= 60 && seconds % 60 === 0;
  return spaced(
    new Intl.NumberFormat(languageTag, {
      style: 'unit',
      unit: inMinutes ? 'minute' : 'second',
      unitDisplay: 'long',
    }).format(inMinutes ? seconds / 60 : seconds),
  );
}

/** Separates numbers from Chinese words, as the other texts do. */
function spaced(text: string): string {
  return text.replace(/(\d)(?=\p{Script=Han})/u, '$1 ');
}

/** Formats a countdown such as 0:45, 12:05 or 5:12:09, in the same way for every language. */
export function clock(seconds: number): string {
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    Math.floor(seconds) % 60,
  ];
  const two = (number: number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
];

/**
 * Formats a past time such as 5 minutes ago, yesterday or 3 个月前, in the largest unit that fits. A time in the future,
 * caused by a skewed clock, is shown as now.
 */
export function ago(time: number, now: number, languageTag: string): string {
  const seconds = Math.max(0, (now - time) / 1000);
  const [unit, length] = STEPS.find(([, step]) => seconds >= step) ?? ['second', Infinity];
  const format = new Intl.RelativeTimeFormat(languageTag, { numeric: 'auto' });
  return spaced(format.format(-Math.floor(seconds / length), unit));
}
