import type { EnteredZone, Overview, ShownSession } from '../../accounts/desk/player-overview.js';
import type { PlayerLock } from '../../accounts/desk/player-locks.js';
import type { PlayerMatch } from '../../accounts/desk/player-search.js';
import type { TimelineEvent } from '../../accounts/desk/timeline-sources.js';
import type { Player } from '../../auth/player.entity.js';
import type { PlayerLink } from '../../links/player-link.entity.js';
import type { Withdrawal } from '../../withdraw/record/withdrawal.entity.js';
import type { Role } from '../access/role.js';
import type {
  PlayerDetails,
  PlayerLine,
  PlayerPage,
  PlayerSession,
  PlayerWithdrawal,
  TimelineEvent as ShownEvent,
} from '../answers/players.js';
import { shownState, shownText } from '../mailbox.js';
import { actsOf, PLAYER_ACTS, type PlayerAct } from '../permissions.js';

export function toMatchView({ player, lastLoginAt }: PlayerMatch, role: Role): PlayerLine {
  return {
    id: player.id,
    account: player.account,
    email: shownText(player.email, role),
    disabled_at: player.disabledAt,
    created_at: player.createdAt,
    last_login_at: lastLoginAt,
  };
}

export function toPageView(overview: Overview, role: Role): PlayerPage {
  const { player, sessions, zones, links, locks, locksAreShared, withdrawals, lastLogin } =
    overview;
  return {
    player: { ...toPlayerView(player, role), last_login_at: lastLogin?.createdAt ?? null },
    sessions: sessions.map(toSessionView),
    zones: zones.map(toEntryView),
    links: links.map(toLinkView),
    locks: locks.map(toLockView),
    locks_are_shared: locksAreShared,
    withdrawals: withdrawals.map(toWithdrawalView),
    may: actsNow(overview, role),
  };
}

export function toEventView({ at, kind, id, facts }: TimelineEvent, role: Role): ShownEvent {
  return { at, kind, id, ...shownState(facts, role) };
}

function toPlayerView(player: Player, role: Role): Omit<PlayerDetails, 'last_login_at'> {
  return {
    id: player.id,
    account: player.account,
    game_account: player.gameAccount ?? player.account,
    email: shownText(player.email, role),
    disabled_at: player.disabledAt,
    created_at: player.createdAt,
    agent_id: player.agentId,
    address: player.ip,
    device: player.device,
    os: player.os,
    browse: player.browse,
    zone_id: player.serverId,
    entered_at: player.enteredAt,
    enter_count: player.enterCount,
  };
}

function toSessionView(session: ShownSession): PlayerSession {
  return {
    id: session.id,
    created_at: session.createdAt,
    seen_at: session.seenAt,
    expires_at: session.expiresAt,
    address: session.address,
    device: session.device,
    os: session.os,
    browse: session.browse,
    remembered: session.remembered,
  };
}

function toEntryView({ zone, name, enteredAt, times }: EnteredZone) {
  return { zone_id: zone, zone: name, entered_at: enteredAt, times };
}

function toLinkView({ provider, connectId, createdAt }: PlayerLink) {
  return { provider, connect_id: connectId, created_at: createdAt };
}

function toLockView({ scope, address, failures, most, locked, until }: PlayerLock) {
  return { scope, address, failures, most, locked, until };
}

function toWithdrawalView(row: Withdrawal): PlayerWithdrawal {
  return {
    id: row.id,
    zone_id: row.zoneId,
    role_id: row.roleId,
    role_name: row.roleName,
    amount: row.amount,
    status: row.status,
    reason: row.reason,
    created_at: row.createdAt,
    settled_at: row.settledAt,
  };
}

/** What the role may do, and what would not be refused as things stand. */
function actsNow({ player, links, locksAreShared }: Overview, role: Role): PlayerAct[] {
  const senseless: Partial<Record<PlayerAct, boolean>> = {
    disable: player.disabledAt !== null,
    enable: player.disabledAt === null,
    unlock: !locksAreShared,
    unlink: links.length === 0,
    secure: player.email === null && role !== 'admin',
  };
  return actsOf(PLAYER_ACTS, role).filter((act) => !senseless[act]);
}
