import type { PlayerBan } from '../../../platform/auth/player-ban.entity.js';
import type { ListedBan } from '../../actions/players/player-bans.js';
import { formatMinute } from '../../format-minute.js';
import { listTable } from '../terminal-table.js';

export function bansReport(bans: ListedBan[]): string {
  return listTable(bans, {
    'banned (UTC)': (ban) => ban.createdAt,
    'until (UTC)': (ban) => ban.until ?? 'for good',
    scope: (ban) => ban.scope,
    state: ({ inForce, liftedAt }) =>
      inForce ? 'in force' : liftedAt ? `lifted ${formatMinute(liftedAt)}` : 'over',
    reason: (ban) => ban.reason,
    'banned by': (ban) => ban.createdBy,
    note: (ban) => ban.note,
    id: (ban) => ban.id,
  });
}

export function bansInForceReport(bans: PlayerBan[]): string {
  return listTable(
    bans,
    {
      player: (ban) => ban.playerId,
      account: (ban) => ban.player.account,
      'banned (UTC)': (ban) => ban.createdAt,
      'until (UTC)': (ban) => ban.until ?? 'for good',
      scope: (ban) => ban.scope,
      reason: (ban) => ban.reason,
      by: (ban) => ban.createdBy,
      id: (ban) => ban.id,
    },
    'Nobody is banned.',
  );
}
