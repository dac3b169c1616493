/** A time as both databases compare it with their own in plain SQL; SQLite knows no dates. */
export function sqlTime(time: number | Date): string {
  return new Date(time).toISOString().slice(0, 23).replace('T', ' ');
}
