/** A time as a string that MySQL and SQLite compare correctly in plain SQL. */
export function sqlTime(time: number | Date): string {
  return new Date(time).toISOString().slice(0, 23).replace('T', ' ');
}
