/** A time as mails show it, to the minute. */
export function formatMailTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
