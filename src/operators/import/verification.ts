import type { CheckView } from '../../features/accounts/account.view.js';
import { AccountDisabled } from '../../platform/auth/auth.errors.js';
import { toTime } from '../../platform/database/sql-time.js';
import { isSameIgnoringCase } from '../../features/withdraw/game/game-name.js';
import type { GameNames } from './game-names.js';
import { NO_PASSWORD, type OldPlayer } from './old-player.js';
import { crcOf } from './player-draft.js';

/** An imported player's current row. */
export interface ImportedAccount {
  playerId: number | null;
  passwordSum: number;
  emailSum: number;
  account: string | null;
  password: string;
  email: string | null;
  gameAccount: string | null;
  disabledAt: unknown;
  closedAt: unknown;
  /** The imported bans in force: their number, and the end of the last one. */
  bans: number | string;
  bannedUntil: string | Date | null;
}

/** A difference; `listedAs`: the class of the run's finding that explains it. */
export interface Problem {
  text: string;
  listedAs?: string;
}

/** An empty list is the proof. `answer`: the answer to the old-format token. */
export function verificationProblems(
  old: OldPlayer,
  imported: ImportedAccount | undefined,
  answer: CheckView | Error,
  game: GameNames,
): Problem[] {
  if (!imported) return [{ text: 'was not imported' }];
  if (imported.account === null || imported.playerId === null)
    return [{ text: old.notes[0]?.detail ?? 'gone', listedAs: 'not moved' }];
  const problems: Problem[] = [...banProblems(old, imported)];
  const changedHere = crcOf(imported.password) !== imported.passwordSum;
  if (imported.password !== old.password && !changedHere) problems.push({ text: 'another hash' });
  const mailboxAsWritten = crcOf(imported.email) === imported.emailSum;
  if (imported.email !== old.email && mailboxAsWritten && imported.email !== null)
    problems.push({ text: `mailbox ${imported.email} instead of ${old.email}` });
  if (!changedHere && old.password !== NO_PASSWORD)
    problems.push(...tokenProblems(imported, answer));
  const spelling = game.exactSpellingOf(old.name);
  if (spelling !== undefined && !hasRolesOf(imported, spelling, game.spellingsOf(old.name).length))
    problems.push({
      text: `his roles in the game are ${spelling}'s`,
      listedAs: 'renamed: must be told',
    });
  return problems;
}

function hasRolesOf(
  { account, gameAccount }: ImportedAccount,
  spelling: string,
  spellings: number,
): boolean {
  if (gameAccount !== null) return gameAccount === spelling;
  return spellings === 1 && isSameIgnoringCase(spelling, account ?? '');
}

function banProblems({ ban }: OldPlayer, { bans, bannedUntil }: ImportedAccount): Problem[] {
  const count = Number(bans);
  if (!ban) return count > 0 ? [{ text: 'banned here, and not before' }] : [];
  if (count === 0) return [{ text: 'banned before, not any more' }];
  if (count > 1) return [{ text: 'banned twice' }];
  return ban.until?.getTime() === toTime(bannedUntil)?.getTime()
    ? []
    : [{ text: 'the ban ends at another time' }];
}

function tokenProblems(
  { disabledAt, bans, account, gameAccount }: ImportedAccount,
  answer: CheckView | Error,
): Problem[] {
  if (answer instanceof AccountDisabled && (disabledAt || Number(bans) > 0)) return [];
  const listedAs = 'renamed: must be told';
  if (answer instanceof Error)
    return [{ text: `the token does not work: ${answer.message}`, listedAs }];
  if (disabledAt) return [{ text: 'the token of a disabled account works' }];
  const own = answer.account === account || answer.account === gameAccount;
  return own ? [] : [{ text: `the token opens ${answer.account}`, listedAs }];
}
