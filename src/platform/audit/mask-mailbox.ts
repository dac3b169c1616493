/** Enough to recognise it, such as `a•••@example.com`. */
export function maskMailbox(mailbox: string): string {
  return mailbox.replace(/^(.).*@/su, '$1•••@');
}
