/** A time as mails show it, to the minute. */
export function mailTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
