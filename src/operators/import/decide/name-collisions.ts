import { MAX_NAME } from '../../../platform/auth/account-name.js';
import type { GameNames } from '../read/game-names.js';
import type { ImportContext } from '../target/import-context.js';
import { nameSumOf } from '../target/imported-players.js';
import type { ImportMap } from '../read/import-map.js';
import { type Finding, findingOf, type OldPlayer } from '../read/old-player-row.js';
import { foldName } from '../read/old-values.js';
import type { PresentPlayer, PresentPlayers } from './present-players.js';

/** Holds the fields that decide who keeps a name or mailbox. Hundreds of thousands of players may share one. */
export interface Contender extends Pick<OldPlayer, 'key' | 'id' | 'name' | 'account'> {
  lastSeen: number;
}

export interface NameDecision {
  /** If `finding` is set, a free name replaces this account name later. */
  account: string;
  /** The player can still sign in with this old name, although another player has the account name. */
  alias: string | null;
  gameAccount: string | null;
  closed: boolean;
  finding?: (account: string) => Finding;
}

/**
 * Decides which player keeps the account name. The other players can sign in only with the exact old name. The game
 * treats players with exactly the same name as one player, so the first player also keeps the roles.
 */
export function decideNames(
  context: ImportContext,
  group: Contender[],
  here: PresentPlayers,
  key: string,
): Map<Contender, NameDecision> {
  const { game, map, players } = context;
  const present = here.accounts.get(key);
  const decisions = new Map<Contender, NameDecision>();
  const rule = map.on_name_collision;
  // An old player's account is not closed if the player who has the name here did not come from the old database.
  const closes = rule !== 'suffix' && present?.nameSum !== null;
  const keep = rule === 'suffix' ? 'keep_most_recent_login' : rule;
  const order = inPrecedence(group, keep);
  const exact = new Set(order.map(({ name }) => game.exactSpellingOf(name)));
  const renamed = here.renamed.get(key) ?? [];
  const all = [...order.map(({ name }) => name), ...renamed, present?.account ?? ''];
  const folded = all.map(foldName);
  const names = new Set(present ? [present.account] : []);
  const gameNames = new Set<string>();
  const keeper = present?.account ?? order[0]!.name;
  const who = present
    ? `${keeper} is here already and`
    : `${keeper} (${players.formatKey(order[0]!.key)})`;
  for (const old of order) {
    const isFound = !names.has(old.account) && !here.aliases.has(old.account);
    const keepsName = isFound && !present && old === order[0];
    const inGame = gameNameOf(game, old, folded, exact, here);
    const ownsRoles =
      !gameNames.has(inGame) && !(present && ownsRolesOf(present, inGame, old.name));
    names.add(old.account);
    gameNames.add(inGame);
    const alias = isFound && !keepsName && !closes ? old.account : null;
    const roles = ownsRoles ? '' : ', and the roles in the game';
    const found = alias === null ? '' : ', still found by the old name';
    const kind = closes ? 'closed' : isFound ? 'renamed' : 'renamed: must be told';
    const why = `${collisionReason(old.name, keeper)}: ${who} keeps it${roles}`;
    const finding = (account: string) =>
      findingOf(old, kind, `${why}; now ${account}${found}`, `on_name_collision: ${rule}`);
    decisions.set(old, {
      account: old.account,
      alias,
      gameAccount: ownsRoles ? inGame : null,
      closed: closes && !keepsName,
      ...(!keepsName && { finding }),
    });
  }
  return decisions;
}

/** Returns the exact name if the game has it, the only other spelling if nobody else can own it, or the old name. */
function gameNameOf(
  game: GameNames,
  old: Contender,
  folded: string[],
  exact: Set<string | undefined>,
  here: PresentPlayers,
): string {
  const own = game.exactSpellingOf(old.name);
  if (own !== undefined) return own;
  const lone = game.spellingOf(old.name);
  const isAlone = folded.filter((name) => name === foldName(old.name)).length === 1;
  if (lone !== undefined && isAlone && !exact.has(lone) && !here.gameNames.has(lone)) return lone;
  return old.name.length <= MAX_NAME ? old.name : old.account;
}

/** An imported player without `game_account` owns the roles under the exact old name, however the game spells it. */
function ownsRolesOf(present: PresentPlayer, inGame: string, oldName: string): boolean {
  const { account, gameAccount, nameSum } = present;
  if (nameSum === null) return gameAccount === inGame;
  const isNamed = (name: string) => (nameSum || nameSumOf(account)) === nameSumOf(name);
  return isNamed(oldName) || (gameAccount === null ? isNamed(inGame) : gameAccount === inGame);
}

/** The first player keeps the name or the e-mail address. */
export function inPrecedence(group: Contender[], rule: ImportMap['on_shared_email']) {
  return group.toSorted((one, other) => {
    const recency = rule === 'keep_lowest_id' ? 0 : other.lastSeen - one.lastSeen;
    return recency || (one.key < other.key ? -1 : 1);
  });
}

export function collisionReason(one: string, other: string): string {
  if (one === other) return 'the same name twice';
  if (one.trimEnd() === other.trimEnd()) return 'spaces at the end';
  if (one.trimEnd().toLowerCase() === other.trimEnd().toLowerCase()) return 'case';
  return withoutAccents(one) === withoutAccents(other)
    ? 'accents'
    : 'signs that a database does not tell apart';
}

function withoutAccents(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trimEnd();
}
