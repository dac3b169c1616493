/**
 * What a mailbox is counted as. Many mail servers deliver `a.b+x@…` to `ab@…`: without folding tags and dots, anyone
 * could flood a mailbox under names that he invents. For counting only; to everything else they are different ones.
 */
export function normalizeMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const bare = local.replace(/\+.*$/, '').replaceAll('.', '');
  return `${bare || local}${email.slice(at)}`.toLowerCase();
}
