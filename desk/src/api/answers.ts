/** What the desk's API answers, as far as the pages show it. */
export interface Now {
  at: string;
  instances: Instance[];
  database: { state: string; ms: number };
  redis: { state: string };
  mail: { state: string } & MailFigures;
  zones: {
    open: number;
    maintenance: number;
    failing: {
      id: number;
      name: string;
      why: 'row' | 'withdrawals';
      problem: string | null;
      unknown: number;
      failed_last_hour: number;
    }[];
  };
  registrations: { today: number; cap: number | null };
  series: Record<'logins' | 'refusals' | 'registrations' | 'withdrawals', number[]> & {
    minutes: number;
    step: number;
  };
  needs: Need[];
}

export interface MailHour {
  all: number;
  failed: number;
  slow: number;
}

interface MailFigures {
  /** Seconds of the slowest in the last ten minutes. */
  slowest_mail: number | null;
  mails_last_hour: MailHour | null;
}

export interface Instance extends MailFigures {
  /** Null: the one of the desk's own host. */
  name: string | null;
  address: string;
  state: string;
  version: string | null;
  /** In English, with details. */
  problem: string | null;
  problem_codes: string[];
  ms: number | null;
  database: string | null;
  redis: string | null;
  settings: string | null;
  loop_ms: number | null;
  figures_refused: boolean;
}

export interface Need {
  kind: string;
  count?: number;
  oldest?: string | null;
  link: string;
}

export interface PlayerLine {
  id: number;
  account: string;
  email: string | null;
  disabled_at: string | null;
  created_at: string;
  last_login_at: string | null;
}

export type WithdrawalStatus =
  'created' | 'sending' | 'succeeded' | 'refused' | 'failed' | 'unknown';

export interface SettleRequest {
  outcome: 'succeeded' | 'failed';
  by: string;
  at: string;
  note: string;
}

export interface WithdrawalLine {
  id: number;
  account: string | null;
  player_id: number;
  zone_id: number;
  zone: string | null;
  role_id: string | number;
  role_name: string | null;
  amount: number;
  status: WithdrawalStatus;
  reason: string | null;
  created_at: string;
  age_seconds: number;
  settle_request: SettleRequest | null;
}

interface Device {
  address: string | null;
  device: string | null;
  os: string | null;
  browse: string | null;
}

export interface PlayerPage {
  player: PlayerLine & Device & { game_account: string; agent_id: string | number | null };
  sessions: (Device & {
    id: number;
    created_at: string;
    seen_at: string;
    expires_at: string;
    remembered: boolean;
  })[];
  zones: { zone_id: number; zone: string | null; entered_at: string; times: number }[];
  links: { provider: string; connect_id: string; created_at: string }[];
  locks: {
    scope: string;
    address: string;
    failures: number;
    most: number;
    locked: boolean;
    until: string;
  }[];
  locks_are_shared: boolean;
  withdrawals: Pick<
    WithdrawalLine,
    'id' | 'zone_id' | 'role_id' | 'role_name' | 'amount' | 'status' | 'reason' | 'created_at'
  >[];
  may: string[];
}

export interface TimelineEvent extends Record<string, unknown> {
  at: string;
  kind: string;
  id: number;
}

export interface TimelinePage {
  events: TimelineEvent[];
  next: string | null;
}

/** What a player's page is pushed. */
export interface PlayerLook {
  page: PlayerPage;
  timeline: TimelinePage;
}

export interface RequestStory {
  id: string;
  /** Where the id tells it. */
  began_at: string | null;
  events: (TimelineEvent & { player_id: number | null })[];
}

export interface WithdrawalStory {
  withdrawal: Omit<WithdrawalLine, 'settle_request'> & {
    order_no: string | null;
    balance_before: number | null;
    sent_at: string | null;
    sent_to: string | null;
    settled_at: string | null;
    asks: number;
    asked_at: string | null;
  };
  player: { id: number; account: string; game_account: string } | null;
  problem: string | null;
  events: { at: string; from: string | null; to: string; cause: string; evidence: string }[];
  balance_now: number | null;
  settle_request: SettleRequest | null;
  /** Above `desk.four_eyes_above`. */
  needs_two: boolean;
  may: string[];
}

export interface ZoneRow {
  id: number;
  name: string;
  address: string;
  port: number;
  status: string;
  sort: number;
  open_at: string | null;
  merged_into: number | null;
  gm_address: string | null;
  gm_port: number;
  gm_path: string;
  db_host: string | null;
  db_port: number | null;
  zone_group: string | null;
  recommended: boolean;
}

export type SeenZone = Pick<
  ZoneRow,
  'id' | 'name' | 'address' | 'port' | 'status' | 'open_at' | 'recommended'
> & { group: string | null };

export interface ZoneLine {
  row: ZoneRow;
  problem: string | null;
  seen: SeenZone | null;
  work: { open: number; unknown: number; failed_last_hour: number };
}

export interface ChatLine {
  id: number | string;
  at: string;
  zone_id: number;
  account: string | null;
  role: string | null;
  channel?: string | null;
  text: string;
  reporter: string | null;
}

export interface AuditLine {
  id: number | string;
  at: string;
  by: string;
  act: string;
  subject: string;
  note: string | null;
  before: unknown;
  after: unknown;
}
