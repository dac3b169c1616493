import type { InstanceMetrics } from '../../actions/instances/instance-metrics.js';
import type { ProblemCode } from '../../actions/instances/instance-problems.js';

type MailFigures = Pick<InstanceMetrics, 'slowest_mail' | 'mails_last_10_minutes'>;

export interface Dashboard {
  at: string;
  instances: InstanceSummary[];
  database: { state: 'up' | 'down'; ms: number };
  redis: { state: 'off' | 'up' | 'down' };
  mail: MailSummary;
  servers: { open: number; maintenance: number; failing: FailingServer[] };
  registrations: { today: number; cap: number | null };
  /** Players with a ban in force. */
  bans: { all: number; withdraw: number };
  series: Series;
  needs: ActionItem[];
}

export interface InstanceSummary extends InstanceMetrics {
  /** Null for the instance of the desk's own host. */
  name: string | null;
  address: string;
  state: 'up' | 'impaired' | 'down';
  version: string | null;
  /** In English, with details. */
  problem: string | null;
  problem_codes: ProblemCode[];
  /** Milliseconds until it answered that it is ready. */
  ms: number | null;
  redis: string | null;
  settings: string | null;
  /** False: it refused to let the desk read its metrics, or has not answered yet. */
  has_figures: boolean;
  /** The desk's address is not in its `metrics_ips`. */
  figures_refused: boolean;
}

export interface MailSummary extends MailFigures {
  state: 'up' | 'down' | 'off' | 'unknown' | 'failing' | 'slow';
}

export interface FailingServer {
  id: number;
  name: string;
  /** `row`: its row is invalid and left out. `withdrawals`: they fail there, or their outcome is unknown. */
  why: 'row' | 'withdrawals';
  problem: string | null;
  unknown: number;
  failed_last_hour: number;
}

export interface Series extends Record<
  'logins' | 'refusals' | 'registrations' | 'withdrawals',
  number[]
> {
  minutes: number;
  step: number;
}

export interface ActionItem {
  kind: string;
  text_key: string;
  count?: number;
  oldest?: string | null;
  link: string;
}
