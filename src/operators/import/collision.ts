import type { OldPlayer } from './old-player.js';

type KeepRule = 'keep_most_recent_login' | 'keep_lowest_id';

/** The data that decides which of two players keeps a name or mailbox. */
export type Claimant = Pick<OldPlayer, 'key' | 'name' | 'lastLogin' | 'createdAt'>;

/** Whether the first one keeps what both of them want. */
export function takesPrecedence(one: Claimant, other: Claimant, rule: KeepRule): boolean {
  if (rule === 'keep_most_recent_login') {
    const [a, b] = [lastSeen(one), lastSeen(other)];
    if (a !== b) return a > b;
  }
  return one.key < other.key;
}

/** Why the database considers two names equal. */
export function collisionReason(one: string, other: string): string {
  if (one === other) return 'the same name twice';
  if (one.trimEnd() === other.trimEnd()) return 'spaces at the end';
  if (one.trimEnd().toLowerCase() === other.trimEnd().toLowerCase()) return 'case';
  return withoutAccents(one) === withoutAccents(other)
    ? 'accents'
    : 'signs that a database does not tell apart';
}

function lastSeen({ lastLogin, createdAt }: Claimant): number {
  return (lastLogin ?? createdAt)?.getTime() ?? 0;
}

function withoutAccents(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trimEnd();
}
