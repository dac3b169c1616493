/**
 * The counter key of a mailbox. Many mail servers deliver `a.b+x@…` to `ab@…`: without removing tags and dots, anyone
 * could flood a mailbox under invented names. For counting only; everywhere else they are different mailboxes.
 */
export function normalizeMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const bare = local.replace(/\+.*$/, '').replaceAll('.', '');
  return `${bare || local}${email.slice(at)}`.toLowerCase();
}
