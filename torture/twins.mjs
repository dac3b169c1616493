// Players with a twin in the game: names that differ by case, accents or a space at the end, which the game's collation takes for one.
import { ROLES } from './history.mjs';

const MOVED_PAIRS = 6;
const EARLY_PAIRS = 2;
const FIRST_EARLY = 2 * MOVED_PAIRS;
const FIRST_LONE = FIRST_EARLY + 2 * EARLY_PAIRS;
const APART = [
  (name) => name.toLowerCase(),
  (name) => name.replace('i', 'í'),
  (name) => `${name} `,
];
/** From here on a player who has a twin asks for the twin's role. */
const TWINS_SLOT = ROLES - 2;
/** Roles of a twin who has no account here, among the numbers of the player's own. */
export const GHOST_SLOTS = [ROLES, ROLES + 1];

/**
 * `inGame` is the exact name of his roles, `gameAccount` what `player.game_account` says of it, `twin` the number of the player who is
 * taken for him, `ghost` the name of one who has roles in the game alone. `hasRoles`: there are any; `isGiven`: the service can tell which.
 */
export function namesOf(index, run) {
  if (index < FIRST_EARLY) return movedOver(index, run);
  if (index < FIRST_LONE) return early(index, run);
  if (index < FIRST_LONE + APART.length) return beside(APART[index - FIRST_LONE], index, run);
  // Nobody is like him, and the game writes him in another case.
  if (index === FIRST_LONE + APART.length) return plain(`LONE_${run}`, { inGame: `lone_${run}` });
  return plain(`player_${run}_${index}`);
}

/** As the move-over leaves two players of one name: one of them keeps it, and both have their exact names in the game. */
function movedOver(index, run) {
  const pair = Math.floor(index / 2);
  const kept = `Twin_${run}_${pair}`;
  if (index % 2 === 0) return plain(kept, { gameAccount: kept, twin: index + 1 });
  const inGame = APART[pair % APART.length](kept);
  const names = { gameAccount: inGame, inGame, twin: index - 1 };
  return plain(`${inGame.trimEnd()}~${index}`, names);
}

/** Somebody registered here, and has no roles, before the one was moved over who has them under that name in another case. */
function early(index, run) {
  const pair = Math.floor(index / 2);
  const [here, inGame] = [`early_${run}_${pair}`, `Early_${run}_${pair}`];
  if (index % 2 === 0) return plain(here, { hasRoles: false, twin: index + 1 });
  return plain(`${inGame}~${index}`, { gameAccount: inGame, inGame, twin: index - 1 });
}

/** Two names in the game, of which one is a player's. Where case alone tells them apart, nobody knows which. */
function beside(apart, index, run) {
  const account = `Beside_${run}_${index}`;
  return plain(account, { ghost: apart(account), isGiven: apart !== APART[0] });
}

function plain(account, rest = {}) {
  return { account, gameAccount: null, inGame: account, hasRoles: true, isGiven: true, ...rest };
}

/** The role that an entry asks for, by its owner's number and its place: now and then the twin's. */
export function wantedRole({ index, twin, ghost, hasRoles }, { role: slot }) {
  const isTwins = slot >= TWINS_SLOT || !hasRoles;
  if (twin !== undefined && isTwins) return [twin, slot];
  if (ghost !== undefined && isTwins) return [index, GHOST_SLOTS[slot - TWINS_SLOT]];
  return [index, slot];
}

/** Whether the service must take the role for this player's. Those of one operation alone have no number, and no twin. */
export function isHis({ index, hasRoles, isGiven }, role) {
  if (index === undefined) return true;
  const [owner, slot] = [Math.floor((role % 1_000_000) / 10), role % 10];
  return hasRoles && isGiven && owner === index && slot < ROLES;
}

/** What game servers may be told that he is called: the exact name, or `account` until it is first needed. */
export function toldNames({ gameAccount, account, inGame }) {
  return [gameAccount ?? account, inGame];
}
