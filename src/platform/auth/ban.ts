// The command line loads this file before it knows the command, so it must not load TypeORM.
import { AccountDisabled, type Ban } from './auth.errors.js';

/** Lists the scopes of a ban, which forbids either everything or only withdrawals. */
export const BAN_SCOPES = ['all', 'withdraw'] as const;
export type BanScope = (typeof BAN_SCOPES)[number];

/** Selects bans in force from `player_ban b`. It uses the database's clock, so that all instances agree. */
export const BAN_IN_FORCE_SQL =
  'b.lifted_at IS NULL AND (b.until IS NULL OR b.until > CURRENT_TIMESTAMP)';

/**
 * Selects the ban in force with the widest scope and the latest end as one column of the statement that finds the
 * player. `requireAdmitted` parses the column.
 */
export function banSql(playerId: string): string {
  return `(SELECT CONCAT(b.scope, '|', COALESCE(b.until, ''), '|', b.reason) FROM player_ban b
    WHERE b.player_id = ${playerId} AND ${BAN_IN_FORCE_SQL}
    ORDER BY b.scope = 'all' DESC, b.until IS NULL DESC, b.until DESC LIMIT 1)`;
}

export interface AdmissionColumns {
  disabledAt: unknown;
  /** `banSql` selects this column. */
  ban?: unknown;
}

/** Throws if the account is disabled or banned. Returns the ban if it forbids only withdrawals. */
export function requireAdmitted({ disabledAt, ban: column }: AdmissionColumns): Ban | null {
  const [, scope, until, reason] =
    /^(\w+)\|([^|]*)\|([^]*)$/.exec((column as string | null) ?? '') ?? [];
  const ban = reason === undefined ? null : { reason, until: until ? toIsoTime(until) : null };
  if (ban && scope === 'all') throw new AccountDisabled(ban);
  if (disabledAt) throw new AccountDisabled();
  return ban;
}

function toIsoTime(utc: string): string {
  return new Date(utc.replace(' ', 'T').replace(/Z?$/, 'Z')).toISOString();
}
