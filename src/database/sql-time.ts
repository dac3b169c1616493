/** A time as both databases store it, in UTC to the millisecond, for statements that are written by hand. */
export function sqlTime(time: Date): string {
  return time.toISOString().slice(0, 23).replace('T', ' ');
}
