import type { GameNames } from '../read/game-names.js';
import type { ImportContext } from '../target/import-context.js';
import { nameSum as nameSumOf } from '../target/imported-players.js';
import { formatKey } from '../read/old-player-reader.js';
import type { Note, OldPlayer } from '../read/old-player-row.js';
import { foldName } from '../read/old-values.js';
import type { PresentPlayer } from './present-players.js';

const MAX_NAME = 64;

export interface NameDecision {
  /** If `note` is set, a free name replaces this account name later. */
  account: string;
  /** The player can still sign in with this old name, although another player has the account name. */
  alias: string | null;
  gameAccount: string | null;
  closed: boolean;
  note?: (account: string) => Note;
}

/** These fields decide which of two players keeps a name or an e-mail address. */
type Claimant = Pick<OldPlayer, 'key' | 'name' | 'lastLogin' | 'createdAt'>;

/**
 * Decides which player keeps the account name. The other players can sign in only with the exact old name. The game
 * treats players with exactly the same name as one player, so the first player also keeps the roles.
 */
export function decideNames(
  context: ImportContext,
  group: OldPlayer[],
  here: {
    owner: PresentPlayer | undefined;
    aliases: ReadonlySet<string>;
    renamed: string[];
    gameNames: ReadonlyMap<string, PresentPlayer>;
  },
): Map<OldPlayer, NameDecision> {
  const { game, map, players } = context;
  const { owner: present, aliases, renamed } = here;
  const decisions = new Map<OldPlayer, NameDecision>();
  const rule = map.on_name_collision;
  // A player who registered only here does not close the account of an old player with the same name.
  const closes = rule !== 'suffix' && present?.nameSum !== null;
  const keep = rule === 'suffix' ? 'keep_most_recent_login' : rule;
  const order = group.toSorted((one, other) => (takesPrecedence(one, other, keep) ? -1 : 1));
  const exact = new Set([
    ...order.map(({ name }) => game.exactSpellingOf(name)),
    ...here.gameNames.keys(),
  ]);
  const folded = [...order.map(({ name }) => name), ...renamed, present?.account ?? ''].map(
    foldName,
  );
  const names = new Set(present ? [present.account] : []);
  const gameNames = new Set<string>();
  const keeper = present?.account ?? order[0]!.name;
  for (const old of order) {
    const isFound = !names.has(old.account) && !aliases.has(old.account);
    const keepsName = isFound && !present && old === order[0];
    const inGame = gameNameOf(game, old, folded, exact);
    const ownsRoles = !gameNames.has(inGame) && !(present && hasGameName(present, inGame));
    names.add(old.account);
    gameNames.add(inGame);
    const decision: NameDecision = {
      account: old.account,
      alias: null,
      gameAccount: ownsRoles ? inGame : null,
      closed: false,
    };
    decisions.set(old, decision);
    if (keepsName) continue;
    decision.alias = isFound && !closes ? old.account : null;
    decision.closed = closes;
    const why = collisionReason(old.name, keeper);
    const who = present
      ? `${present.account} is here already and`
      : `${keeper} (${formatKey(order[0]!.key, players.numericKey)})`;
    decision.note = (account) => ({
      class: closes ? 'closed' : isFound ? 'renamed' : 'renamed: must be told',
      detail: `${why}: ${who} keeps it${ownsRoles ? '' : ', and the roles in the game'}; now ${account}${decision.alias === null ? '' : ', still found by the old name'}`,
      rule: `on_name_collision: ${rule}`,
    });
  }
  return decisions;
}

/** Returns the exact name if the game has it, otherwise the only other spelling if no other player can own it. */
function gameNameOf(
  game: GameNames,
  old: OldPlayer,
  folded: string[],
  exact: Set<string | undefined>,
): string {
  const own = game.exactSpellingOf(old.name);
  if (own !== undefined) return own;
  const lone = game.spellingOf(old.name);
  const isAlone = folded.filter((name) => name === foldName(old.name)).length === 1;
  if (lone !== undefined && isAlone && !exact.has(lone)) return lone;
  return old.name.length <= MAX_NAME ? old.name : old.account;
}

/** An imported player without `game_account` owns the roles of exactly the old name. */
function hasGameName({ account, gameAccount, nameSum }: PresentPlayer, name: string): boolean {
  if (gameAccount !== null || nameSum === null) return gameAccount === name;
  return (nameSum || nameSumOf({ name: account })) === nameSumOf({ name });
}

export function takesPrecedence(
  one: Claimant,
  other: Claimant,
  rule: 'keep_most_recent_login' | 'keep_lowest_id',
): boolean {
  if (rule === 'keep_most_recent_login') {
    const [a, b] = [lastSeen(one), lastSeen(other)];
    if (a !== b) return a > b;
  }
  return one.key < other.key;
}

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
