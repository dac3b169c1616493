import type { Player } from '../../../platform/auth/player.entity.js';
import type { PlayerLink } from '../../../features/links/player-link.entity.js';
import type { FactorSummary } from '../../../features/second-factor/second-factors.js';
import { parseLoginDevice } from '../../../features/sessions/device.js';
import type { Withdrawal } from '../../../features/withdraw/record/withdrawal.entity.js';
import type { Role } from '../../actions/operators/operator.entity.js';
import type { ListedBan } from '../../actions/players/player-bans.js';
import type { PlayerOverviewData, SessionSummary } from '../../actions/players/player-overview.js';
import type { PlayerStanding, StandingFact } from '../../actions/players/player-standing.js';
import type { PlayerMatch } from '../../actions/players/player-search.js';
import type { TimelineEvent } from '../../actions/players/player-timeline.js';
import type { TimelineKind } from '../../actions/players/timeline-cursor.js';
import type { SignInLock } from '../../actions/players/sign-in-locks.js';
import {
  actionsForRole,
  maskMailboxes,
  maskMailboxesDeep,
  PLAYER_ACTION_ROLES,
  type PlayerAction,
} from '../access/permissions.js';

/** Describes an event in the timeline. The other properties depend on the kind. */
export interface TimelineEventView extends Record<string, unknown> {
  at: Date;
  kind: TimelineKind;
  id: number;
}

export function toMatchView({ player, lastLoginAt, ban }: PlayerMatch, role: Role) {
  return {
    id: player.id,
    account: player.account,
    email: maskMailboxes(player.email, role),
    disabled_at: player.disabledAt,
    ...toClosingView(player),
    created_at: player.createdAt,
    last_login_at: lastLoginAt,
    ban: ban && { scope: ban.scope, until: ban.until },
  };
}

export function toPageView(overview: PlayerOverviewData, role: Role) {
  const { player, sessions, servers, links, locks, locksAreShared, withdrawals, lastLogin } =
    overview;

  return {
    player: { ...toPlayerView(player, role), last_login_at: lastLogin?.createdAt ?? null },
    standing: toStandingView(overview.standing, role),
    bans: overview.bans.map((ban) => toBanView(ban, role)),
    sessions: sessions.map(toSessionView),
    servers: servers.map(toServerVisitView),
    links: links.map(toLinkView),
    two_factor: toFactorsView(overview.factors),
    locks: locks.map(toLockView),
    locks_are_shared: locksAreShared,
    withdrawals: withdrawals.map(toWithdrawalView),
    may: allowedActions(overview, role),
  };
}

export function toEventView({ at, kind, id, facts }: TimelineEvent, role: Role): TimelineEventView {
  const shown = kind === 'login' ? { ...facts, ...parseLoginDevice(facts.device) } : facts;
  return { at, kind, id, ...maskMailboxesDeep(shown, role) };
}

function toStandingView(standing: PlayerStanding, role: Role) {
  const { canSignIn, canWithdraw, because, also } = standing;
  const toFacts = (facts: StandingFact[]) =>
    facts.map((fact) => ({ ...fact, detail: maskMailboxes(fact.detail, role) }));
  return {
    can_sign_in: canSignIn,
    can_withdraw: canWithdraw,
    because: toFacts(because),
    also: toFacts(also),
  };
}

function toPlayerView(player: Player, role: Role) {
  return {
    id: player.id,
    account: player.account,
    game_account: player.gameAccount ?? player.account,
    ...toClosingView(player),
    email: maskMailboxes(player.email, role),
    disabled_at: player.disabledAt,
    created_at: player.createdAt,
    agent_id: player.agentId,
    address: player.ip,
    device: player.device,
    os: player.os,
    browse: player.browse,
    server_id: player.serverId,
    entered_at: player.enteredAt,
    enter_count: player.enterCount,
  };
}

function toClosingView({ closingAt, closedAt }: Player) {
  return { closing_at: closedAt ? null : closingAt, closed_at: closedAt };
}

function toBanView(ban: ListedBan, role: Role) {
  return {
    id: ban.id,
    scope: ban.scope,
    reason: ban.reason,
    note: ban.note,
    created_by: ban.createdBy,
    created_at: ban.createdAt,
    until: ban.until,
    lifted_at: ban.liftedAt,
    lift: ban.lift && { by: ban.lift.by, note: maskMailboxes(ban.lift.note, role) },
    in_force: ban.inForce,
  };
}

function toSessionView(session: SessionSummary) {
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
    trusted_until: session.trustedUntil,
  };
}

function toServerVisitView({
  server,
  name,
  enteredAt,
  times,
}: PlayerOverviewData['servers'][number]) {
  return { server_id: server, server: name, entered_at: enteredAt, times };
}

function toLinkView({ provider, connectId, createdAt }: PlayerLink) {
  return { provider, connect_id: connectId, created_at: createdAt };
}

function toFactorsView({ totp, passkeys, recoveryCodesLeft }: FactorSummary) {
  const names = passkeys.map(({ name }) => name);
  return { totp, passkeys: names, recovery_codes_left: recoveryCodesLeft };
}

function toLockView({ scope, whom, address, failures, most, locked, until }: SignInLock) {
  return { scope, whom, address, failures, most, locked, until };
}

function toWithdrawalView(row: Withdrawal) {
  return {
    id: row.id,
    role_server_id: row.roleServerId,
    role_id: row.roleId,
    role_name: row.roleName,
    amount: row.amount,
    status: row.status,
    reason: row.reason,
    created_at: row.createdAt,
    settled_at: row.settledAt,
  };
}

/** Returns the actions that the role allows and that the player's state permits. */
function allowedActions(
  { player, bans, links, sessions, locksAreShared }: PlayerOverviewData,
  role: Role,
): PlayerAction[] {
  const unavailable: Partial<Record<PlayerAction, boolean>> = {
    end_session: sessions.length === 0,
    keep: player.closingAt === null,
    close: player.closingAt !== null,
    unban: !bans.some(({ inForce }) => inForce),
    disable: player.disabledAt !== null,
    enable: player.disabledAt === null,
    unlock: !locksAreShared,
    unlink: links.length === 0,
    reset_second_factor: !player.hasSecondFactor,
    secure: (player.email === null || player.hasSecondFactor) && role !== 'admin',
  };
  if (player.closedAt) return [];
  return actionsForRole(PLAYER_ACTION_ROLES, role).filter((act) => !unavailable[act]);
}
