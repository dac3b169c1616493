import type { TimelineKind } from '../../actions/players/timeline-cursor.js';
import type { BanScope } from '../../../platform/auth/ban-scope.js';
import type { WithdrawalStatus } from '../../../features/withdraw/record/withdrawal-status.js';

export interface PlayerList {
  players: PlayerListItem[];
  next: string | null;
}

export interface PlayerListItem {
  id: number;
  account: string;
  email: string | null;
  disabled_at: Date | null;
  /** Null: it stays, or is closed. */
  closing_at: Date | null;
  closed_at: Date | null;
  created_at: Date;
  last_login_at: Date | null;
  /** In force. */
  ban: { scope: BanScope; until: Date | null } | null;
}

interface Device {
  address: string | null;
  device: string | null;
  os: string | null;
  browse: string | null;
}

export interface PlayerPageResponse {
  player: PlayerDetails;
  bans: PlayerBanView[];
  sessions: PlayerSession[];
  servers: { server_id: number; server: string | null; entered_at: Date; times: number }[];
  links: { provider: string; connect_id: string; created_at: Date }[];
  two_factor: { totp: boolean; passkeys: string[]; recovery_codes_left: number };
  locks: PlayerLockView[];
  locks_are_shared: boolean;
  withdrawals: PlayerWithdrawal[];
  may: string[];
}

export interface PlayerDetails extends Omit<PlayerListItem, 'ban'>, Device {
  game_account: string;
  agent_id: number | null;
  server_id: number | null;
  entered_at: Date | null;
  enter_count: number;
}

export interface PlayerBanView {
  id: number;
  scope: BanScope;
  reason: string;
  note: string;
  created_by: string;
  created_at: Date;
  until: Date | null;
  lifted_at: Date | null;
  in_force: boolean;
}

export interface PlayerSession extends Device {
  id: number;
  created_at: Date;
  seen_at: Date;
  expires_at: Date;
  remembered: boolean;
}

export interface PlayerLockView {
  scope: string;
  address: string;
  failures: number;
  most: number;
  locked: boolean;
  until: Date;
}

export interface PlayerWithdrawal {
  id: number;
  role_server_id: number;
  role_id: number;
  role_name: string;
  amount: number;
  status: WithdrawalStatus;
  reason: string | null;
  created_at: Date;
  settled_at: Date | null;
}

export interface TimelinePage {
  events: TimelineEventView[];
  next: string | null;
}

/** The other facts depend on the kind. */
export interface TimelineEventView extends Record<string, unknown> {
  at: Date;
  /** `refusal` only in the trace of a request. */
  kind: TimelineKind | 'refusal';
  id: number;
}

export interface RequestTrace {
  id: string;
  /** Null where the id does not contain the time. */
  began_at: Date | null;
  events: (TimelineEventView & { player_id: number | null })[];
}
