import { collisionReason, takesPrecedence } from './collision.js';
import { foldName, type GameNames } from './game-names.js';
import type { ImportContext } from './import-context.js';
import type { Decision } from './import-plan.js';
import type { Note } from './import-report.js';
import { formatKey } from './old-key.js';
import type { OldPlayer } from './old-player.js';
import type { PresentPlayer } from './target-claims.js';

const MAX_NAME = 64;

/** `account` is replaced by a free name if there is a finding. */
export type NameDecision = Pick<Decision, 'account' | 'alias' | 'gameAccount' | 'closed'> & {
  note?: (account: string) => Note;
};

/**
 * One player keeps the account, and each of the others is found by exactly the old name. To the game, exactly equal
 * names are one player: the first one keeps it, with its roles.
 */
export function decideNames(
  context: ImportContext,
  group: OldPlayer[],
  present: PresentPlayer | undefined,
  aliases: ReadonlySet<string>,
): Map<OldPlayer, NameDecision> {
  const { game, map, players } = context;
  const decisions = new Map<OldPlayer, NameDecision>();
  const rule = map.on_name_collision;
  // An old player is not closed in favour of somebody who only registered here.
  const closes = rule !== 'suffix' && (!present || Number(present.wasImported) === 1);
  const keep = rule === 'suffix' ? 'keep_most_recent_login' : rule;
  const order = group.toSorted((one, other) => (takesPrecedence(one, other, keep) ? -1 : 1));
  const exact = new Set(order.map(({ name }) => game.exactSpellingOf(name)));
  const names = new Set(present ? [present.account] : []);
  const gameNames = new Set(present ? gameNamesOf(present) : []);
  const keeper = present?.account ?? order[0]!.name;
  for (const old of order) {
    const isFound = !names.has(old.account) && !aliases.has(old.account);
    const keepsName = isFound && !present && old === order[0];
    const inGame = gameNameOf(game, old, order, exact);
    const ownsRoles = !gameNames.has(inGame);
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

/** The exact name if the game has it; else the only other spelling, if it can belong to nobody else. */
function gameNameOf(
  game: GameNames,
  old: OldPlayer,
  group: OldPlayer[],
  exact: Set<string | undefined>,
): string {
  const own = game.exactSpellingOf(old.name);
  if (own !== undefined) return own;
  const lone = game.spellingOf(old.name);
  const folded = foldName(old.name);
  const isAlone = group.filter(({ name }) => foldName(name) === folded).length === 1;
  if (lone !== undefined && isAlone && !exact.has(lone)) return lone;
  return old.name.length <= MAX_NAME ? old.name : old.account;
}

/** An imported player has the roles of the own name, whether `game_account` is set or not. */
function gameNamesOf({ account, gameAccount, wasImported }: PresentPlayer): string[] {
  return gameAccount !== null ? [gameAccount] : Number(wasImported) ? [account] : [];
}
