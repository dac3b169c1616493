/** 1 minute, 90 seconds, 90秒钟: in whole minutes where it comes out even. */
export function duration(seconds: number, languageTag: string): string {
  const inMinutes = seconds >= 60 && seconds % 60 === 0;
  return new Intl.NumberFormat(languageTag, {
    style: 'unit',
    unit: inMinutes ? 'minute' : 'second',
    unitDisplay: 'long',
  }).format(inMinutes ? seconds / 60 : seconds);
}

/** 0:45, 12:05, 5:12:09: a countdown, the same in every language. */
export function clock(seconds: number): string {
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    Math.floor(seconds) % 60,
  ];
  const two = (number: number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
