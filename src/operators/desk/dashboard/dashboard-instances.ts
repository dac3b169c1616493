import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import {
  type Instance,
  configuredInstances,
} from '../../actions/instances/configured-instances.js';
import {
  fetchInstanceMetrics,
  type InstanceMetrics,
  NO_METRICS,
  type MetricsFailure,
} from '../../actions/instances/instance-metrics.js';
import { INSTANCE_PROBLEMS } from '../../actions/instances/instance-problems.js';
import {
  type InstanceStatus,
  fetchInstanceStatus,
} from '../../actions/instances/instance-status.js';
import type { InstanceSummary } from '../responses/dashboard.js';

const TIMEOUT_MS = 1000;
const METRICS_EVERY_MS = 15_000;
// An instance logs each refusal.
const REFUSED_EVERY_MS = 60_000;
// A dashboard asks again and waits a second; a hanging instance is shown with its previous result.
const RECENT_FAILURE_MS = 30_000;
const TOO_SLOW: Pick<InstanceStatus, 'problem' | 'problem_codes'> = {
  problem: INSTANCE_PROBLEMS.too_slow,
  problem_codes: ['too_slow'],
};

type MetricsResult = InstanceMetrics | MetricsFailure;

interface MetricsRequest {
  at: number;
  isPending: boolean;
  answer: Promise<MetricsResult>;
  latest: MetricsResult;
}

/** The instances that `gatehouse status` asks, each with one request at a time. A hanging one delays no page. */
@Injectable()
export class DashboardInstances {
  private readonly pendingStatus = new Map<string, Promise<InstanceStatus>>();
  /** The result of each instance's last finished request: a hanging one always has another running. */
  private readonly lastStatus = new Map<string, { at: number; status: InstanceStatus }>();
  private readonly metrics = new Map<string, MetricsRequest>();

  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  load(): Promise<InstanceSummary[]> {
    const instances = configuredInstances(this.environment, this.settings.current);
    return Promise.all(instances.map((instance) => this.describe(instance)));
  }

  private async describe({ name, url }: Instance): Promise<InstanceSummary> {
    const [status, metrics] = await Promise.all([
      withTimeout(this.currentStatus(url), this.recentFailure(url)),
      this.currentMetrics(url),
    ]);
    const { version = null, redis = null, settings = null } = status ?? {};
    const { problem, problem_codes } = status ?? TOO_SLOW;
    const isRead = typeof metrics !== 'string';
    const figures = isRead ? metrics : NO_METRICS;
    return {
      ...figures,
      name,
      address: url,
      state: status?.ready === false ? 'down' : problem === null ? 'up' : 'impaired',
      version,
      problem,
      problem_codes,
      ms: status?.ready ? status.ms : null,
      // An instance that is ready has read and written the database.
      database: status?.ready ? 'up' : figures.database,
      redis,
      settings,
      has_figures: isRead,
      figures_refused: metrics === 'refused',
    };
  }

  private currentStatus(url: string): Promise<InstanceStatus> {
    const asked = this.pendingStatus.get(url) ?? this.fetchStatus(url);
    this.pendingStatus.set(url, asked);
    return asked;
  }

  private async fetchStatus(url: string): Promise<InstanceStatus> {
    const status = await fetchInstanceStatus(url);
    this.lastStatus.set(url, { at: performance.now(), status });
    this.pendingStatus.delete(url);
    return status;
  }

  private recentFailure(url: string): InstanceStatus | undefined {
    const last = this.lastStatus.get(url);
    if (!last || performance.now() - last.at > RECENT_FAILURE_MS) return undefined;
    return last.status.ready ? undefined : last.status;
  }

  /** Not on every refresh: rendering metrics costs an instance some milliseconds. */
  private currentMetrics(url: string): Promise<MetricsResult> {
    const last = this.metrics.get(url);
    const every = last?.latest === 'refused' ? REFUSED_EVERY_MS : METRICS_EVERY_MS;
    if (last && (last.isPending || performance.now() - last.at < every))
      return withTimeout(last.answer, last.latest);
    const asked: MetricsRequest = {
      at: performance.now(),
      isPending: true,
      answer: fetchInstanceMetrics(url),
      latest: last?.latest ?? 'no_answer',
    };
    this.metrics.set(url, asked);
    void asked.answer.then((latest) => Object.assign(asked, { latest, isPending: false }));
    return withTimeout(asked.answer, asked.latest);
  }
}

/** The result if it arrives within a second, else `otherwise`. */
function withTimeout<T, U>(answer: Promise<T>, otherwise: U): Promise<T | U> {
  return Promise.race([answer, pause(TIMEOUT_MS, otherwise, { ref: false })]);
}
