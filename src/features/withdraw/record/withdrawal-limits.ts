import type { EntityManager } from 'typeorm';
import { selectRows } from '../../../platform/database/statement.js';
import { ServerUnavailable } from '../../servers/servers.errors.js';
import { AmountOutOfRange, WithdrawalOpen } from '../withdraw.errors.js';
import type { NewWithdrawal } from './withdrawal-rows.js';
import { STATUSES_WITHOUT_DEDUCTION } from './withdrawal-status.js';

export interface DailyLimit {
  most: number;
  /** The day that counts, as SQL compares it: a row that a wrong clock dated ahead counts on its own day alone. */
  from: string;
  to: string;
}

const NOT_COUNTED = STATUSES_WITHOUT_DEDUCTION.map((status) => `'${status}'`).join(', ');
/** What a player's withdrawals of a day come to. */
export const DAILY_SUM_SQL = `SELECT SUM(amount) FROM withdraw
  WHERE player_id = ? AND created_at >= ? AND created_at < ? AND status NOT IN (${NOT_COUNTED})`;
// A cheap first look: an open one in any server that was merged into another.
const COUNT_OPEN_ON_MERGED = `SELECT COUNT(*) FROM server JOIN withdraw ON withdraw.role_server_id = server.id
  WHERE server.merged_into IS NOT NULL AND withdraw.role_id = ? AND withdraw.is_open = 1 AND withdraw.player_id = ?`;
const SAME_KEY = 'SELECT id FROM withdraw WHERE player_id = ? AND idempotency_key = ?';
// The server was looked up a moment ago. Read as it is now and held until commit: maintenance, without which there is no
// merge, comes before and is seen here, or comes after and waits. NOWAIT, because an operator may hold the row for hours:
// the transaction is retried. MySQL and MariaDB spell it differently; SQLite, with one writer at a time, reads comments.
const SERVER_STILL_RUNNING = `SELECT id FROM server
  WHERE id = ? AND merged_into IS NULL AND status NOT IN ('maintenance', 'closed') /*M! LOCK IN SHARE MODE NOWAIT */ /*!80000 FOR SHARE NOWAIT */`;
const LIMITS = `SELECT (${DAILY_SUM_SQL}) AS today, (${COUNT_OPEN_ON_MERGED}) AS merged, (${SAME_KEY}) AS earlier,
  (${SERVER_STILL_RUNNING}) AS server`;
// The unique key knows only the server that a withdrawal was opened in, which may have been merged since.
const OPEN_ON_MERGED_SERVERS = `
  WITH RECURSIVE merged (id) AS (
    SELECT id FROM server WHERE merged_into = ?
    UNION SELECT server.id FROM server JOIN merged ON server.merged_into = merged.id
  )
  SELECT id FROM withdraw
   WHERE player_id = ? AND role_id = ? AND is_open = 1 AND role_server_id IN (SELECT id FROM merged)`;

/**
 * Refuses a withdrawal over the daily limit, of a server that was shut or merged meanwhile, or of a role
 * that has one open since before a merge.
 * Gives the id of an earlier one with the same key, which is none of these. Needs the player's lock.
 */
export async function checkLimits(
  manager: EntityManager,
  { playerId, roleServerId, roleId, amount, idempotencyKey }: NewWithdrawal,
  { most, from, to }: DailyLimit,
): Promise<number | undefined> {
  const today = [playerId, from, to];
  const rest = [roleId, playerId, playerId, idempotencyKey];
  const [found = {}] = await selectRows(manager, LIMITS, [...today, ...rest, roleServerId]);
  if (found.earlier) return Number(found.earlier);
  if (!found.server) throw new ServerUnavailable();
  const remaining = Math.max(0, most - Number(found.today ?? 0));
  if (amount > remaining)
    throw new AmountOutOfRange(`the daily limit leaves ${remaining} for today`);
  if (Number(found.merged) === 0) return undefined;
  const where = [roleServerId, playerId, roleId];
  const open = await selectRows(manager, OPEN_ON_MERGED_SERVERS, where);
  if (open.length > 0) throw new WithdrawalOpen();
  return undefined;
}
