import type { EntityManager } from 'typeorm';
import { selectRows } from '../../database/statement.js';
import { ZoneUnavailable } from '../../zones/zones.errors.js';
import { AmountOutOfRange, RoleNotFound, WithdrawalOpen } from '../withdraw.errors.js';
import type { Opening } from './withdrawal-statements.js';
import { WITHOUT_EFFECT } from './withdrawal-states.js';

export interface DailyLimit {
  most: number;
  /** The day that counts, as SQL compares it: a row that a wrong clock dated ahead counts on its own day alone. */
  from: string;
  to: string;
}

export interface Limits extends DailyLimit {
  /** The account that the game's table names as the role's. */
  nameInGame: string;
}

const NOT_COUNTED = WITHOUT_EFFECT.map((status) => `'${status}'`).join(', ');
/** What a player's withdrawals of a day come to. */
export const SUM_OF_DAY = `SELECT SUM(amount) FROM withdraw
  WHERE player_id = ? AND created_at >= ? AND created_at < ? AND status NOT IN (${NOT_COUNTED})`;
// A cheap first look: an open one in any zone that was merged into another.
const MERGED = `SELECT COUNT(*) FROM server JOIN withdraw ON withdraw.zone_id = server.id
  WHERE server.merged_into IS NOT NULL AND withdraw.role_id = ? AND withdraw.is_open = 1 AND withdraw.player_id = ?`;
const EARLIER = 'SELECT id FROM withdraw WHERE player_id = ? AND idempotency_key = ?';
// An account without a game_account is looked for without regard to case, and may find what is another's by its exact name.
const OWNER =
  'SELECT id FROM player WHERE game_account = ? AND game_account_length = LENGTH(?) AND id <> ?';
// The zone was looked up a moment ago. Read as it is now and held until commit: maintenance, without which there is no
// merge, comes before and is seen here, or comes after and waits. (SQLite, with one writer at a time, reads a comment.)
const RUNNING = `SELECT id FROM server
  WHERE id = ? AND merged_into IS NULL AND status NOT IN ('maintenance', 'closed') /*! LOCK IN SHARE MODE */`;
const LIMITS = `SELECT (${SUM_OF_DAY}) AS today, (${MERGED}) AS merged, (${EARLIER}) AS earlier, (${OWNER}) AS owner,
  (${RUNNING}) AS zone`;
const WITHIN = `COALESCE((${SUM_OF_DAY}), 0) <= ? AND (${MERGED}) = 0 AND NOT EXISTS (${EARLIER})
  AND NOT EXISTS (${OWNER}) AND EXISTS (${RUNNING})`;
// The unique key knows only the zone that a withdrawal was opened in, which may have been merged since.
const OPEN_SINCE_BEFORE_A_MERGE = `
  WITH RECURSIVE merged (id) AS (
    SELECT id FROM server WHERE merged_into = ?
    UNION SELECT server.id FROM server JOIN merged ON server.merged_into = merged.id
  )
  SELECT id FROM withdraw
   WHERE player_id = ? AND role_id = ? AND is_open = 1 AND zone_id IN (SELECT id FROM merged)`;

/**
 * Refuses a withdrawal over the daily limit, of another's role, of a zone that was shut or merged meanwhile, or of a role
 * that has one open since before a merge.
 * Gives the id of an earlier one with the same key, which is none of these. Needs the player's lock.
 */
export async function holdLimits(
  manager: EntityManager,
  { playerId, zoneId, roleId, amount, idempotencyKey }: Opening,
  { most, from, to, nameInGame }: Limits,
): Promise<number | undefined> {
  const today = [playerId, from, to];
  const rest = [roleId, playerId, playerId, idempotencyKey, nameInGame, nameInGame, playerId];
  const [found = {}] = await selectRows(manager, LIMITS, [...today, ...rest, zoneId]);
  if (found.earlier) return Number(found.earlier);
  if (!found.zone) throw new ZoneUnavailable();
  if (found.owner) throw new RoleNotFound();
  const left = Math.max(0, most - Number(found.today ?? 0));
  if (amount > left) throw new AmountOutOfRange(`the daily limit leaves ${left} for today`);
  if (Number(found.merged) === 0) return undefined;
  const where = [zoneId, playerId, roleId];
  const open = await selectRows(manager, OPEN_SINCE_BEFORE_A_MERGE, where);
  if (open.length > 0) throw new WithdrawalOpen();
  return undefined;
}

/** True where nothing stands against it; false also where that takes a second look. Needs the player's lock. */
export function withinLimits(
  { playerId, zoneId, roleId, amount, idempotencyKey }: Opening,
  { most, from, to, nameInGame }: Limits,
) {
  const today = [playerId, from, to, most - amount];
  const rest = [roleId, playerId, playerId, idempotencyKey, nameInGame, nameInGame, playerId];
  return { condition: WITHIN, values: [...today, ...rest, zoneId] };
}
