import type { EntityManager } from 'typeorm';
import {
  IDENTITY_COLUMNS,
  IDENTITY_SOURCE,
  identityValues,
  type PlayerIdentity,
  type StoredIdentity,
  toIdentity,
} from '../../../platform/auth/identity.service.js';
import { isLockedRow } from '../../../platform/database/database-errors.js';
import { currentTime } from '../../../platform/database/database-clock.js';
import { selectRows, sqlTime } from '../../../platform/database/sql.js';
import { ServerUnavailable } from '../../servers/servers.service.js';
import { AmountOutOfRange, WithdrawalOpen } from './withdraw.errors.js';
import type { NewWithdrawal } from './withdrawal-rows.js';
import { LIST_WITHOUT_DEDUCTION } from './withdrawal-status.js';
import type { Withdrawal } from './withdrawal.entity.js';

export interface DailyLimit {
  most: number;
  /**
   * SQL compares times with these bounds, so that a row to which a skewed clock gave a timestamp in the future counts
   * on its own day.
   */
  from: string;
  to: string;
}

const DAILY_SUM_SQL = `SELECT SUM(amount) FROM withdraw
  WHERE player_id = ? AND created_at >= ? AND created_at < ? AND status NOT IN (${LIST_WITHOUT_DEDUCTION})`;
// This cheap check covers all merged servers. The related servers are looked up only if the check finds something.
const COUNT_OPEN_ON_MERGED = `SELECT COUNT(*) FROM server JOIN withdraw ON withdraw.role_server_id = server.id
  WHERE server.merged_into IS NOT NULL AND withdraw.role_id = ? AND withdraw.is_open = 1 AND withdraw.player_id = ?`;
const SAME_KEY = 'SELECT id FROM withdraw WHERE player_id = ? AND idempotency_key = ?';
// A merge, which starts with maintenance, may have begun since the server was looked up. So the row is read again and
// locked until commit. NOWAIT is used because an operator may lock the row for hours. MySQL and MariaDB use different
// syntax. SQLite ignores these comments and needs no lock, as it allows only one writer.
const SERVER_STILL_RUNNING = `SELECT id FROM server
  WHERE id = ? AND merged_into IS NULL AND status NOT IN ('maintenance', 'closed')
    AND (status <> 'scheduled' OR open_at <= ?) /*M! LOCK IN SHARE MODE NOWAIT */ /*!80000 FOR SHARE NOWAIT */`;

const LIMITS = `SELECT (${DAILY_SUM_SQL}) AS today, (${COUNT_OPEN_ON_MERGED}) AS merged, (${SAME_KEY}) AS earlier,
  (${SERVER_STILL_RUNNING}) AS server, ${IDENTITY_COLUMNS} ${IDENTITY_SOURCE}`;
type LimitsRow = StoredIdentity & Record<'today' | 'merged' | 'earlier' | 'server', unknown>;
// The recursion finds all servers connected to this one by merges, in either direction.
const OPEN_IN_MERGED_SERVERS = `
  WITH RECURSIVE merged (id) AS (
    SELECT id FROM server WHERE id = ?
    UNION SELECT CASE WHEN server.id = merged.id THEN server.merged_into ELSE server.id END
      FROM server JOIN merged ON merged.id IN (server.id, server.merged_into)
      WHERE server.merged_into IS NOT NULL
  )
  SELECT id FROM withdraw
   WHERE player_id = ? AND role_id = ? AND is_open = 1 AND role_server_id IN (SELECT id FROM merged)`;

/** Allows a second check of the caller, because the request may have waited for a game database since the first one. */
export interface WithdrawalCaller {
  identity: PlayerIdentity;
  /** Throws if the player may not withdraw now. */
  requireAllowed: (identity: PlayerIdentity) => void;
}

/** Reports that another transaction has locked the server's row. */
export class ServerRowLocked extends ServerUnavailable {}

/** Returns what is left of the daily limit, for display. `checkLimits` enforces the limit under the player's lock. */
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
 * Throws if the caller may no longer withdraw, if the server was closed or merged meanwhile, if the amount exceeds the
 * daily limit, or if the role has an open withdrawal from before a merge. If the idempotency key was used before,
 * returns the earlier withdrawal's id instead. The caller must hold the player's lock.
 */
export async function checkLimits(
  manager: EntityManager,
  { playerId, roleServerId, roleId, amount, idempotencyKey }: NewWithdrawal,
  { most, from, to }: DailyLimit,
  { identity, requireAllowed }: WithdrawalCaller,
): Promise<number | undefined> {
  const today = [playerId, from, to];
  const rest = [roleId, playerId, playerId, idempotencyKey];
  const server = [roleServerId, sqlTime(currentTime())];
  const values = [...today, ...rest, ...server, ...identityValues(identity)];
  const [found] = await selectRows<LimitsRow>(manager, LIMITS, values).catch((error) => {
    throw isLockedRow(error) ? new ServerRowLocked() : error;
  });
  if (found?.earlier) return Number(found.earlier);
  // A reset or a ban may have happened since the guard ran, so its checks are repeated.
  requireAllowed(toIdentity(found, { ...identity, issuedAt: identity.confirmedAt.getTime() }));
  if (!found?.server) throw new ServerUnavailable();
  const remaining = Math.max(0, most - Number(found.today ?? 0));
  if (amount > remaining)
    throw new AmountOutOfRange(`the daily limit leaves ${remaining} for today`);
  if (Number(found.merged) === 0) return undefined;
  const open = await findOpenInMergedServers(manager, { playerId, roleServerId, roleId });
  if (open.length > 0) throw new WithdrawalOpen();
  return undefined;
}

/**
 * Returns the ids of a role's open withdrawals. The unique key does not find all of them, because it contains the
 * original server, which may have been merged since. On unrelated servers, the same id belongs to a different role.
 */
export async function findOpenInMergedServers(
  manager: EntityManager,
  { playerId, roleServerId, roleId }: Pick<Withdrawal, 'playerId' | 'roleServerId' | 'roleId'>,
): Promise<number[]> {
  const role = [roleServerId, playerId, roleId];
  const open = await selectRows(manager, OPEN_IN_MERGED_SERVERS, role);
  return open.map(({ id }) => Number(id));
}
