// Players with a twin have names that differ only in case, accents or a trailing space. The game's collation
// treats such names as equal.
import { ROLES } from './history.mjs';

const IMPORTED_PAIRS = 6;
const EARLY_PAIRS = 2;
const FIRST_EARLY = 2 * IMPORTED_PAIRS;
const FIRST_LONE = FIRST_EARLY + 2 * EARLY_PAIRS;
const VARIANTS = [
  (name) => name.toLowerCase(),
  (name) => name.replace('i', 'í'),
  (name) => `${name} `,
];
/** From this slot on, a player with a twin requests the twin's role. */
const TWINS_SLOT = ROLES - 2;
/** A ghost's roles have these slots, so that their ids are in the player's range. */
export const GHOST_SLOTS = [ROLES, ROLES + 1];

/**
 * Returns the names of a player:
 * - `inGame`: the exact account name of the player's roles
 * - `gameAccount`: the value of `player.game_account`
 * - `twin`: the index of the player with a colliding name
 * - `ghost`: a colliding name that has roles in the game, but no account
 * - `hasRoles`: whether the player has roles
 * - `isUnambiguous`: whether the service can tell which roles are the player's
 */
export function namesOf(index, run) {
  if (index < FIRST_EARLY) return imported(index, run);
  if (index < FIRST_LONE) return registeredEarly(index, run);
  if (index < FIRST_LONE + VARIANTS.length)
    return withGhost(VARIANTS[index - FIRST_LONE], index, run);
  // This player has a unique name, which the game stores in different case.
  if (index === FIRST_LONE + VARIANTS.length)
    return plain(`LONE_${run}`, { inGame: `lone_${run}` });
  return plain(`player_${run}_${index}`);
}

/**
 * Returns one of two players whose names collide after an import. One player keeps the name, and both players have
 * their exact game account.
 */
function imported(index, run) {
  const pair = Math.floor(index / 2);
  const kept = `Twin_${run}_${pair}`;
  if (index % 2 === 0) return plain(kept, { gameAccount: kept, twin: index + 1 });
  const inGame = VARIANTS[pair % VARIANTS.length](kept);
  const names = { gameAccount: inGame, inGame, twin: index - 1 };
  return plain(`${inGame.trimEnd()}~${index}`, names);
}

/**
 * Returns one of two players whose names differ in case. One registered early and has no roles, and the other is the
 * imported owner of the roles.
 */
function registeredEarly(index, run) {
  const pair = Math.floor(index / 2);
  const [here, inGame] = [`early_${run}_${pair}`, `Early_${run}_${pair}`];
  if (index % 2 === 0) return plain(here, { hasRoles: false, twin: index + 1 });
  return plain(`${inGame}~${index}`, { gameAccount: inGame, inGame, twin: index - 1 });
}

/**
 * Returns a player whose name collides with a ghost's. If the names differ only in case, the service cannot tell
 * player and ghost apart.
 */
function withGhost(variant, index, run) {
  const account = `Beside_${run}_${index}`;
  return plain(account, { ghost: variant(account), isUnambiguous: variant !== VARIANTS[0] });
}

function plain(account, rest = {}) {
  return {
    account,
    gameAccount: null,
    inGame: account,
    hasRoles: true,
    isUnambiguous: true,
    ...rest,
  };
}

/** Returns the owner and slot of the role that an entry requests. The role is sometimes the twin's. */
export function requestedRole({ index, twin, ghost, hasRoles }, { role: slot }) {
  const isTwins = slot >= TWINS_SLOT || !hasRoles;
  if (twin !== undefined && isTwins) return [twin, slot];
  if (ghost !== undefined && isTwins) return [index, GHOST_SLOTS[slot - TWINS_SLOT]];
  return [index, slot];
}

/**
 * Returns whether the service must accept the role as this player's. Players who exist for one operation have no
 * index and no twin.
 */
export function ownsRole({ index, hasRoles, isUnambiguous }, role) {
  if (index === undefined) return true;
  const [owner, slot] = [Math.floor((role % 1_000_000) / 10), role % 10];
  return hasRoles && isUnambiguous && owner === index && slot < ROLES;
}

/**
 * Returns the names that responses may contain, which are the exact name and, until the service has looked that
 * up, `account`.
 */
export function expectedNames({ gameAccount, account, inGame }) {
  return [gameAccount ?? account, inGame];
}
