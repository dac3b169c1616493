import type { CheckView } from '../accounts/account.view.js';
import { AccountDisabled } from '../auth/auth.errors.js';
import { isOwnName } from '../withdraw/game/game-account.js';
import type { GameNames } from './game-names.js';
import { NO_PASSWORD, type OldPlayer } from './old-player.js';
import { BANNED, sumOf } from './player-draft.js';

/** A moved player as he is here now. */
export interface Arrived {
  playerId: number | null;
  passwordSum: number;
  emailSum: number;
  banned: number;
  account: string | null;
  password: string;
  email: string | null;
  gameAccount: string | null;
  disabledAt: unknown;
}

/** What is not as it was before. An empty list is the proof. `answer`: to the old-format token. */
export function proofProblems(
  old: OldPlayer,
  arrived: Arrived | undefined,
  answer: CheckView | Error,
  game: GameNames,
): string[] {
  if (!arrived) return ['was not moved'];
  if (arrived.account === null || arrived.playerId === null)
    return [
      old.troubles.map(({ trouble, detail }) => `${trouble}: ${detail}`).join('; ') || 'gone',
    ];
  const { account, gameAccount } = arrived;
  const problems: string[] = [];
  const changedHere = sumOf(arrived.password) !== arrived.passwordSum;
  if (arrived.password !== old.password && !changedHere) problems.push('another hash');
  if (arrived.banned === BANNED.byRule) problems.push('closed by on_name_collision');
  else if (old.banned && !arrived.disabledAt) problems.push('banned before, not any more');
  const mailboxAsWritten = sumOf(arrived.email) === arrived.emailSum;
  // A shared mailbox stays with one of them, by rule; whoever changed it here has another.
  if (arrived.email !== old.email && mailboxAsWritten && arrived.email !== null)
    problems.push(`mailbox ${arrived.email} instead of ${old.email}`);
  if (!changedHere && old.password !== NO_PASSWORD)
    problems.push(...tokenProblems(arrived, answer));
  const spelling = game.spellingOf(old.name);
  if (spelling !== undefined) {
    const twins = gameAccount === null && game.spellingsOf(old.name).length > 1;
    if (twins || !isOwnName(spelling, { account, gameAccount }))
      problems.push(`his roles in the game are ${spelling}'s`);
  }
  return problems;
}

function tokenProblems(
  { disabledAt, account, gameAccount }: Arrived,
  answer: CheckView | Error,
): string[] {
  if (answer instanceof AccountDisabled && disabledAt) return [];
  if (answer instanceof Error) return [`the token does not work: ${answer.message}`];
  if (disabledAt) return ['the token of a disabled account works'];
  const own = answer.account === account || answer.account === gameAccount;
  return own ? [] : [`the token opens ${answer.account}`];
}
