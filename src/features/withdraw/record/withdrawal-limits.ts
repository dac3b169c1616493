import type { EntityManager } from 'typeorm';
import { banSql, requireAdmitted } from '../../../platform/auth/ban.js';
import { isLockedRow } from '../../../platform/database/database-errors.js';
import { selectRows } from '../../../platform/database/statement.js';
import { ServerUnavailable } from '../../servers/servers.errors.js';
import { AmountOutOfRange, WithdrawalBanned, WithdrawalOpen } from '../withdraw.errors.js';
import type { NewWithdrawal } from './withdrawal-rows.js';
import { LIST_WITHOUT_DEDUCTION } from './withdrawal-status.js';
import type { Withdrawal } from './withdrawal.entity.js';

export interface DailyLimit {
  most: number;
  /** The day as SQL compares it: a row dated ahead by a wrong clock counts on its own day. */
  from: string;
  to: string;
}

/** The sum of a player's withdrawals of a day. */
const DAILY_SUM_SQL = `SELECT SUM(amount) FROM withdraw
  WHERE player_id = ? AND created_at >= ? AND created_at < ? AND status NOT IN (${LIST_WITHOUT_DEDUCTION})`;
// A cheap first check: an open withdrawal in any server that was merged.
const COUNT_OPEN_ON_MERGED = `SELECT COUNT(*) FROM server JOIN withdraw ON withdraw.role_server_id = server.id
  WHERE server.merged_into IS NOT NULL AND withdraw.role_id = ? AND withdraw.is_open = 1 AND withdraw.player_id = ?`;
const SAME_KEY = 'SELECT id FROM withdraw WHERE player_id = ? AND idempotency_key = ?';
// The server was looked up a moment ago. It is read again and held until commit: a maintenance, which every merge
// needs, either came first and is seen here, or comes later and waits. NOWAIT, because an operator may hold the row for
// hours. MySQL and MariaDB spell it differently; SQLite, with one writer at a time, ignores the comments.
const SERVER_STILL_RUNNING = `SELECT id FROM server
  WHERE id = ? AND merged_into IS NULL AND status NOT IN ('maintenance', 'closed') /*M! LOCK IN SHARE MODE NOWAIT */ /*!80000 FOR SHARE NOWAIT */`;
/** Somebody is editing the row and has not committed yet. */
export class ServerRowLocked extends ServerUnavailable {}

const LIMITS = `SELECT (${DAILY_SUM_SQL}) AS today, (${COUNT_OPEN_ON_MERGED}) AS merged, (${SAME_KEY}) AS earlier,
  (${SERVER_STILL_RUNNING}) AS server, (SELECT disabled_at FROM player WHERE id = ?) AS disabledAt, ${banSql('?')} AS ban`;
// Every server linked to this one by merges, in either direction.
const OPEN_IN_MERGED_SERVERS = `
  WITH RECURSIVE merged (id) AS (
    SELECT id FROM server WHERE id = ?
    UNION SELECT CASE WHEN server.id = merged.id THEN server.merged_into ELSE server.id END
      FROM server JOIN merged ON merged.id IN (server.id, server.merged_into)
      WHERE server.merged_into IS NOT NULL
  )
  SELECT id FROM withdraw
   WHERE player_id = ? AND role_id = ? AND is_open = 1 AND role_server_id IN (SELECT id FROM merged)`;

/** For display only: the limit is enforced under the player's lock. */
export async function findRemainingToday(
  manager: EntityManager,
  { most, from, to }: DailyLimit,
  playerId: number,
): Promise<number> {
  const sql = `SELECT (${DAILY_SUM_SQL}) AS total`;
  const [found] = await selectRows(manager, sql, [playerId, from, to]);
  return Math.max(0, most - Number(found?.total ?? 0));
}

/**
 * Refuses a withdrawal if the player was banned, the account closed, or the server closed or merged meanwhile, if it
 * exceeds the daily limit, or if the role has an open one from before a merge. Returns the id of an earlier withdrawal
 * with the same key instead of refusing. Needs the player's lock.
 */
export async function checkLimits(
  manager: EntityManager,
  { playerId, roleServerId, roleId, amount, idempotencyKey }: NewWithdrawal,
  { most, from, to }: DailyLimit,
): Promise<number | undefined> {
  const today = [playerId, from, to];
  const rest = [roleId, playerId, playerId, idempotencyKey];
  const values = [...today, ...rest, roleServerId, playerId, playerId];
  const [found = {}] = await selectRows(manager, LIMITS, values).catch((error) => {
    throw isLockedRow(error) ? new ServerRowLocked() : error;
  });
  if (found.earlier) return Number(found.earlier);
  const ban = requireAdmitted({ disabledAt: found.disabledAt, ban: found.ban });
  if (ban) throw new WithdrawalBanned(ban);
  if (!found.server) throw new ServerUnavailable();
  const remaining = Math.max(0, most - Number(found.today ?? 0));
  if (amount > remaining)
    throw new AmountOutOfRange(`the daily limit leaves ${remaining} for today`);
  if (Number(found.merged) === 0) return undefined;
  const open = await findOpenInMergedServers(manager, { playerId, roleServerId, roleId });
  if (open.length > 0) throw new WithdrawalOpen();
  return undefined;
}

/**
 * The open withdrawals of a role, by id. The unique key contains the server in which a withdrawal was opened, which may
 * have been merged since; in unrelated servers the same id is another role.
 */
export async function findOpenInMergedServers(
  manager: EntityManager,
  { playerId, roleServerId, roleId }: Pick<Withdrawal, 'playerId' | 'roleServerId' | 'roleId'>,
): Promise<number[]> {
  const role = [roleServerId, playerId, roleId];
  const open = await selectRows(manager, OPEN_IN_MERGED_SERVERS, role);
  return open.map(({ id }) => Number(id));
}
