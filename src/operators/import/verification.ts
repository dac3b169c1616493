import type { CheckView } from '../../features/accounts/account.view.js';
import { AccountDisabled } from '../../platform/auth/auth.errors.js';
import { isSameIgnoringCase } from '../../features/withdraw/game/game-account.js';
import type { GameNames } from './game-names.js';
import { NO_PASSWORD, type OldPlayer } from './old-player.js';
import { BAN_STATE, crcOf } from './player-draft.js';

/** A moved player as he is here now. */
export interface ImportedAccount {
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
export function verificationProblems(
  old: OldPlayer,
  imported: ImportedAccount | undefined,
  answer: CheckView | Error,
  game: GameNames,
): string[] {
  if (!imported) return ['was not moved'];
  if (imported.account === null || imported.playerId === null)
    return [old.issues.map(({ trouble, detail }) => `${trouble}: ${detail}`).join('; ') || 'gone'];
  const { account, gameAccount } = imported;
  const problems: string[] = [];
  const changedHere = crcOf(imported.password) !== imported.passwordSum;
  if (imported.password !== old.password && !changedHere) problems.push('another hash');
  if (imported.banned === BAN_STATE.byRule) problems.push('closed by on_name_collision');
  else if (old.banned && !imported.disabledAt) problems.push('banned before, not any more');
  const mailboxAsWritten = crcOf(imported.email) === imported.emailSum;
  // A shared mailbox stays with one of them, by rule; whoever changed it here has another.
  if (imported.email !== old.email && mailboxAsWritten && imported.email !== null)
    problems.push(`mailbox ${imported.email} instead of ${old.email}`);
  if (!changedHere && old.password !== NO_PASSWORD)
    problems.push(...tokenProblems(imported, answer));
  const spelling = game.spellingOf(old.name);
  if (spelling !== undefined) {
    const isFoundWhenNeeded =
      gameAccount === null &&
      game.spellingsOf(old.name).length === 1 &&
      isSameIgnoringCase(spelling, account);
    if (gameAccount !== spelling && !isFoundWhenNeeded)
      problems.push(`his roles in the game are ${spelling}'s`);
  }
  return problems;
}

function tokenProblems(
  { disabledAt, account, gameAccount }: ImportedAccount,
  answer: CheckView | Error,
): string[] {
  if (answer instanceof AccountDisabled && disabledAt) return [];
  if (answer instanceof Error) return [`the token does not work: ${answer.message}`];
  if (disabledAt) return ['the token of a disabled account works'];
  const own = answer.account === account || answer.account === gameAccount;
  return own ? [] : [`the token opens ${answer.account}`];
}
