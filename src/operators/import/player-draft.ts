import { crc32 } from 'node:zlib';
import type { GameNames } from './game-names.js';
import type { OldPlayer } from './old-player.js';
import type { ImportTarget } from './import-target.js';

/** 0: no. 1: he was banned before. 2: closed by `on_name_collision`. */
export const BAN_STATE = { no: 0, before: 1, byRule: 2 } as const;

/** A row of `player` as it is about to be written. */
export interface PlayerDraft {
  old: OldPlayer;
  id: number | undefined;
  account: string;
  email: string | null;
  gameAccount: string | null;
  banned: number;
}

const COLUMNS =
  'id, account, password, email, server_id, ip, device, os, browse, agent_id, disabled_at, created_at, entered_at, game_account';

export function toDraft(old: OldPlayer, game: GameNames): PlayerDraft {
  return {
    old,
    id: old.id,
    account: old.account,
    email: old.email,
    gameAccount: game.spellingOf(old.name) ?? null,
    banned: old.banned ? BAN_STATE.before : BAN_STATE.no,
  };
}

export function insertPlayersSql(drafts: PlayerDraft[], now: Date, target: ImportTarget): string {
  const time = target.literal(now);
  const text = (value: string | number | Date | null) =>
    value === null ? 'NULL' : target.literal(value);
  const rows = drafts.map(({ old, id, account, email, gameAccount, banned }) => {
    const { password, serverId, ip, device, os, browse, agentId, createdAt, lastLogin } = old;
    const person = `${id ?? 'NULL'},${text(account)},'${password}',${text(email)},${serverId}`;
    const traces = `${text(ip)},${text(device)},${text(os)},${text(browse)},${agentId}`;
    const times = `${banned ? time : 'NULL'},${createdAt ? text(createdAt) : time},${text(lastLogin)}`;
    return `(${person},${traces},${times},${text(gameAccount)})`;
  });
  return `INSERT INTO player (${COLUMNS}) VALUES ${rows.join(',')}`;
}

/** The same, except that rows are left out whose id, name or mailbox is another's. All other errors stay errors. */
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

/** Who was moved, under which id, and what was written: a later run sees by it what has changed where. */
export function insertImportedPlayersSql(drafts: PlayerDraft[]): string {
  const rows = drafts.map(
    ({ old, id, email, banned }) =>
      `(x'${old.key.toString('hex')}',${id ?? 'NULL'},${old.sum},${crcOf(old.password)},${crcOf(email)},${banned})`,
  );
  return `INSERT INTO import_player (old_key, player_id, row_sum, password_sum, email_sum, banned) VALUES ${rows.join(',')}`;
}

export function crcOf(value: string | null): number {
  return crc32(value ?? '');
}
