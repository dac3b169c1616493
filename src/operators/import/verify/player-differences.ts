import type { CheckView } from '../../../features/accounts/accounts.view.js';
import { UNUSABLE_PASSWORD } from '../../../features/accounts/passwords.js';
import { AccountDisabled } from '../../../platform/auth/auth.errors.js';
import { toTime } from '../../../platform/database/sql.js';
import { isSameIgnoringCase } from '../../../features/withdraw/game/game-account.service.js';
import { BAN_END, type OldPlayer } from '../read/old-player-row.js';
import { findObstacle, NOT_MOVED } from '../decide/import-plan.js';
import type { ImportContext } from '../target/import-context.js';
import { crcOf, type ImportedPlayer } from '../target/imported-players.js';

/** A difference in a player's name or roles counts as listed if the run stored a finding of one of these classes. */
const NAME_CLASSES = [
  'renamed: must be told',
  'closed',
  'name in the game',
  'several spellings in the game',
];

/** Lists the events that explain why something differs here from what the import wrote. */
const EXPLANATIONS = {
  password: ['password', 'reset', 'email_restored', 'player.set-password', 'player.secure'],
  mailbox: ['email', 'email_restored', 'player.set-email', 'player.secure'],
  link: ['linked', 'unlinked', 'reset', 'email_restored', 'player.unlink', 'player.secure'],
  ban: ['player.unban'],
  name: ['player.rename'],
};

export interface ImportedAccount extends Pick<
  ImportedPlayer,
  'playerId' | 'passwordSum' | 'emailSum' | 'linkSum'
> {
  account: string | null;
  password: string;
  email: string | null;
  gameAccount: string | null;
  disabledAt: unknown;
  closedAt: unknown;
  imported: number | string;
  /** This is null if the player has no link of the map's provider. */
  connectId: string | null;
  /** Counts the imported bans in force. `bannedUntil` is the end of the last ban. */
  bans: number | string;
  bannedUntil: string | Date | null;
}

export interface Difference {
  text: string;
  /** If the run stored a finding of one of these classes, that finding explains the difference. */
  listedAs?: string[];
  isExplained?: boolean;
}

export interface Evidence {
  /** This is the service's response to the old-format token. */
  answer: CheckView | Error;
  context: ImportContext;
  /** Lists the identities that the old database links to the player. */
  links: string[];
  /** Names what the player and operators did here, such as `sign-in`. */
  events: ReadonlySet<string>;
  /** Lists the classes of the findings about the player. */
  findings: ReadonlySet<string>;
}

export function playerDifferences(
  old: OldPlayer,
  here: ImportedAccount | undefined,
  { context, answer, links, events, findings }: Evidence,
): Difference[] {
  if (!here) return [{ text: 'was not imported' }];
  const { game } = context;
  const obstacle = findObstacle(context, old);
  if (here.account === null || here.playerId === null || obstacle)
    return [{ text: (obstacle ?? old.findings[0])?.detail ?? 'gone', listedAs: [NOT_MOVED] }];
  const isExplained = (what: keyof typeof EXPLANATIONS) =>
    EXPLANATIONS[what].some((event) => events.has(event));
  const changed = (what: keyof typeof EXPLANATIONS, more = false): Difference => ({
    text: `${what} changed here`,
    isExplained: more || isExplained(what),
  });
  const explain = (what: keyof typeof EXPLANATIONS, found: Difference[]) =>
    found.map((each) => ({ ...each, isExplained: isExplained(what) }));
  const differences: Difference[] = explain('ban', banDifferences(old, here));
  const hasOtherPassword = crcOf(here.password) !== here.passwordSum;
  // The first sign-in replaces a hash that was made without the key or from GBK bytes.
  if (hasOtherPassword)
    differences.push(changed('password', events.has('sign-in') && Number(here.imported) === 0));
  else if (here.password !== old.password) differences.push({ text: 'another hash' });
  if (crcOf(here.email) !== here.emailSum) differences.push(changed('mailbox'));
  else if (here.email !== old.email && !(here.email === null && findings.has('shared mailbox')))
    differences.push({ text: `mailbox ${here.email} instead of ${old.email}` });
  differences.push(...linkDifferences(links, here, changed('link')));
  const named: Difference[] =
    hasOtherPassword || old.password === UNUSABLE_PASSWORD ? [] : tokenDifferences(here, answer);
  const exact = game.exactSpellingsOf(old.name);
  // Without `game_account`, the service takes the only spelling that matches the account.
  const isOnly = game.spellingsOf(old.name).length === 1;
  const byAccount = isOnly && isSameIgnoringCase(exact[0] ?? '', here.account) ? exact[0] : null;
  const inGame = here.gameAccount ?? byAccount;
  if (exact.length > 0 && exact.every((spelling) => spelling !== inGame))
    named.push({ text: `the game has the roles under ${exact[0]}`, listedAs: NAME_CLASSES });
  return [...differences, ...explain('name', named)];
}

function linkDifferences(
  links: string[],
  { connectId, linkSum }: ImportedAccount,
  changed: Difference,
): Difference[] {
  if (linkSum !== 0 && crcOf(connectId) !== linkSum) return [changed];
  const lost = links.filter((link) => link !== connectId);
  if (lost.length > 0) return [{ text: `the link ${lost[0]} is gone`, listedAs: ['link lost'] }];
  return linkSum !== 0 && links.length === 0
    ? [{ text: `the link ${connectId} is not in the old database any more` }]
    : [];
}

function banDifferences({ ban }: OldPlayer, { bans, bannedUntil }: ImportedAccount): Difference[] {
  const count = Number(bans);
  if (!ban) return count > 0 ? [{ text: 'banned here, and not before' }] : [];
  if (count === 0) return [{ text: 'banned before, not any more' }];
  if (count > 1) return [{ text: 'banned twice' }];
  if (ban.endText !== undefined) {
    const text = `banned permanently, because ${ban.endText} is not a valid time`;
    return [{ text, listedAs: [BAN_END] }];
  }
  return ban.until?.getTime() === toTime(bannedUntil)?.getTime()
    ? []
    : [{ text: 'the ban ends at another time' }];
}

function tokenDifferences(
  { disabledAt, bans, account, gameAccount }: ImportedAccount,
  answer: CheckView | Error,
): Difference[] {
  if (answer instanceof AccountDisabled && (disabledAt || Number(bans) > 0)) return [];
  const listedAs = NAME_CLASSES;
  if (answer instanceof Error)
    return [{ text: `the token does not work: ${answer.message}`, listedAs }];
  const own = answer.account === account || answer.account === gameAccount;
  if (!own) return [{ text: `the token opens ${answer.account}`, listedAs }];
  return disabledAt ? [{ text: 'the token of a disabled account works' }] : [];
}
