import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import {
  type Instance,
  configuredInstances,
} from '../../actions/instances/configured-instances.js';
import { fetchInstanceMetrics, NO_METRICS } from '../../actions/instances/instance-metrics.js';
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
const TOO_SLOW: Pick<InstanceStatus, 'problem' | 'problem_codes'> = {
  problem: INSTANCE_PROBLEMS.too_slow,
  problem_codes: ['too_slow'],
};

/** The instances that `gatehouse status` asks, each with one request at a time. A hanging one delays no page. */
@Injectable()
export class DashboardInstances {
  private readonly statuses = new InstancePoller(fetchInstanceStatus, () => 0);
  /** Not on every refresh: rendering metrics costs an instance some milliseconds. */
  private readonly metrics = new InstancePoller(fetchInstanceMetrics, (latest) =>
    latest === 'refused' ? REFUSED_EVERY_MS : METRICS_EVERY_MS,
  );

  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  load(): Promise<InstanceSummary[]> {
    const instances = configuredInstances(this.environment, this.settings.current);
    return Promise.all(instances.map((instance) => this.describe(instance)));
  }

  private async describe({ name, url }: Instance): Promise<InstanceSummary> {
    const [{ answer, latest }, figures] = await Promise.all([
      this.statuses.current(url),
      this.metrics.current(url),
    ]);
    // A hanging instance is shown with its last failure.
    const status = answer ?? (latest?.ready ? undefined : latest);
    const metrics = figures.answer ?? figures.latest;
    const { version = null, redis = null, settings = null } = status ?? {};
    const { problem, problem_codes } = status ?? TOO_SLOW;
    const isRead = typeof metrics === 'object';
    const shown = isRead ? metrics : NO_METRICS;
    return {
      ...shown,
      name,
      address: url,
      state: status?.ready === false ? 'down' : problem === null ? 'up' : 'impaired',
      version,
      problem,
      problem_codes,
      ms: status?.ready ? status.ms : null,
      // An instance that is ready has read and written the database.
      database: status?.ready ? 'up' : shown.database,
      redis,
      settings,
      has_figures: isRead,
      figures_refused: metrics === 'refused',
    };
  }
}

/** Polls instances, with at most one request to each at a time. A page waits a second for the answer. */
class InstancePoller<T> {
  private readonly asked = new Map<
    string,
    { at: number; isPending: boolean; answer: Promise<T>; latest: T | undefined }
  >();

  constructor(
    private readonly ask: (url: string) => Promise<T>,
    private readonly everyMs: (latest: T | undefined) => number,
  ) {}

  async current(url: string): Promise<{ answer: T | undefined; latest: T | undefined }> {
    const now = performance.now();
    let question = this.asked.get(url);
    if (!question || (!question.isPending && now - question.at >= this.everyMs(question.latest))) {
      const asked = { at: now, isPending: true, answer: this.ask(url), latest: question?.latest };
      void asked.answer.then((latest) => Object.assign(asked, { latest, isPending: false }));
      this.asked.set(url, (question = asked));
    }
    const { latest, answer } = question;
    const inTime = Promise.race([answer, pause(TIMEOUT_MS, undefined, { ref: false })]);
    return { answer: await inTime, latest };
  }
}
