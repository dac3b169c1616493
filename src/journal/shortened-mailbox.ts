/** Enough to recognise it, such as `a•••@example.com`. */
export function shortenedMailbox(mailbox: string): string {
  return mailbox.replace(/^(.).*@/su, '$1•••@');
}
