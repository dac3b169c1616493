import { toIsoTime } from '../database/sql-time.js';
import { AccountDisabled } from './auth.errors.js';
import type { BanScope } from './ban-scope.js';

/** What a banned player sees. */
export interface Ban {
  reason: string;
  /** Null: for good. */
  until: string | null;
}

interface BanInForce extends Ban {
  scope: BanScope;
}

/** For a row `b`. By the database's clock, so that all instances agree; every session is in UTC. */
export const BAN_IN_FORCE_SQL =
  'b.lifted_at IS NULL AND (b.until IS NULL OR b.until > CURRENT_TIMESTAMP)';

/**
 * The ban in force with the widest scope and the latest end, as one column of the statement that finds the player.
 * `parseBan` parses it.
 */
export function banSql(playerId: string): string {
  return `(SELECT CONCAT(b.scope, '|', COALESCE(b.until, ''), '|', b.reason) FROM player_ban b
    WHERE b.player_id = ${playerId} AND ${BAN_IN_FORCE_SQL}
    ORDER BY b.scope = 'all' DESC, b.until IS NULL DESC, b.until DESC LIMIT 1)`;
}

function parseBan(column: unknown): BanInForce | null {
  const [, scope, until, reason] =
    /^(\w+)\|([^|]*)\|([^]*)$/.exec((column as string | null) ?? '') ?? [];
  if (reason === undefined) return null;
  return { scope: scope as BanScope, until: toIsoTime(until || null), reason };
}

export interface AdmissionColumns {
  disabledAt: unknown;
  /** Of `banSql`. */
  ban?: unknown;
}

/** Throws for a disabled or banned account. Returns the ban of one that is only banned from withdrawing. */
export function requireAdmitted({ disabledAt, ban: column }: AdmissionColumns): Ban | null {
  const found = parseBan(column);
  const ban = found && { reason: found.reason, until: found.until };
  if (found?.scope === 'all') throw new AccountDisabled(ban!);
  if (disabledAt) throw new AccountDisabled();
  return ban;
}
