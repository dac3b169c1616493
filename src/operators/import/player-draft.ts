import { crc32 } from 'node:zlib';
import type { Decision } from './import-plan.js';
import type { OldBan, OldPlayer } from './old-player.js';
import type { ImportTarget } from './import-target.js';

/** A row of `player` as it is about to be written. */
export type PlayerDraft = Decision & { old: OldPlayer };
export type NumberedDraft = PlayerDraft & { id: number };

const COLUMNS =
  'id, account, password, email, server_id, ip, device, os, browse, agent_id, disabled_at, created_at, entered_at, game_account, imported';

export function insertPlayersSql(drafts: PlayerDraft[], now: Date, target: ImportTarget): string {
  const time = target.literal(now);
  const text = (value: string | number | Date | null) =>
    value === null ? 'NULL' : target.literal(value);
  const rows = drafts.map(({ old, id, account, email, gameAccount, closed }) => {
    const { password, serverId, ip, device, os, browse, agentId, createdAt, lastLogin } = old;
    const person = `${id ?? 'NULL'},${text(account)},'${password}',${text(email)},${serverId}`;
    const traces = `${text(ip)},${text(device)},${text(os)},${text(browse)},${agentId}`;
    const times = `${closed ? time : 'NULL'},${createdAt ? text(createdAt) : time},${text(lastLogin)}`;
    return `(${person},${traces},${times},${text(gameAccount)},1)`;
  });
  return `INSERT INTO player (${COLUMNS}) VALUES ${rows.join(',')}`;
}

/** The same, but skips rows whose id, name or mailbox is taken. All other errors stay errors. */
export function insertNonCollidingPlayersSql(
  drafts: PlayerDraft[],
  now: Date,
  target: ImportTarget,
): string {
  const otherwise = target.embedded
    ? 'ON CONFLICT DO NOTHING'
    : 'ON DUPLICATE KEY UPDATE id = player.id';
  return `${insertPlayersSql(drafts, now, target)} ${otherwise}`;
}

/** Which players were imported, with which id and values, so that a later run can see what changed on which side. */
export function insertImportedPlayersSql(
  drafts: Array<Pick<PlayerDraft, 'old' | 'id' | 'email'>>,
): string {
  const rows = drafts.map(
    ({ old, id, email }) =>
      `(x'${old.key}',${id ?? 'NULL'},${old.sum},${crcOf(old.password)},${crcOf(email)},${banSum(old.ban)})`,
  );
  return `INSERT INTO import_player (old_key, player_id, row_sum, password_sum, email_sum, ban_sum) VALUES ${rows.join(',')}`;
}

/** Bans of players who have no sessions here yet; `appliedAt` keeps the service from mailing each of them. */
export function insertBansSql(
  bans: Array<{ playerId: number; ban: OldBan }>,
  appliedAt: Date | null,
  target: ImportTarget,
): string {
  const now = new Date();
  const rows = bans.map(({ playerId, ban: { reason, until } }) => {
    // The ban may have ended since it was read, and the table refuses an end before the beginning.
    const createdAt = until && until <= now ? new Date(until.getTime() - 1) : now;
    const times = [createdAt, until, appliedAt].map((time) => target.literal(time)).join(', ');
    return `(${playerId}, ${target.literal(reason)}, 'import', ${times})`;
  });
  return `INSERT INTO player_ban (player_id, reason, created_by, created_at, until, applied_at) VALUES ${rows.join(', ')}`;
}

export function crcOf(value: string | null): number {
  return crc32(value ?? '');
}

/** 0: no ban. */
export function banSum(ban: OldBan | null | undefined): number {
  return ban ? crcOf(`${ban.until?.toISOString() ?? ''} ${ban.reason}`) || 1 : 0;
}
