import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { Settings } from '../../../platform/config/settings.js';
import {
  configuredInstances,
  fetchInstanceMetrics,
  type Instance,
  NO_METRICS,
} from '../../actions/instances/instance-metrics.js';
import {
  fetchInstanceStatus,
  INSTANCE_PROBLEMS,
  type InstanceStatus,
} from '../../actions/instances/instance-status.js';

const TIMEOUT_MS = 1000;
const METRICS_EVERY_MS = 15_000;
// After a 403 the desk polls less often, because the instance logs each rejection.
const REFUSED_EVERY_MS = 60_000;
const MIN_MISSES = 2;
type Problem = Pick<InstanceStatus, 'problem' | 'problem_codes'>;
const TOO_SLOW: Problem = {
  problem: INSTANCE_PROBLEMS.too_slow,
  problem_codes: ['too_slow'],
};
const UNCHECKED: Problem = { problem: null, problem_codes: [] };

/** Polls the same instances as `gatehouse status`. An instance that hangs does not delay the page. */
@Injectable()
export class DashboardInstances {
  private readonly statuses = new InstancePoller(fetchInstanceStatus, () => 0);
  /** Metrics are not read on every refresh, because rendering them costs an instance several milliseconds. */
  private readonly metrics = new InstancePoller(fetchInstanceMetrics, (latest) =>
    latest === 'refused' ? REFUSED_EVERY_MS : METRICS_EVERY_MS,
  );

  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  load() {
    const instances = configuredInstances(this.environment, this.settings.current);
    return Promise.all(instances.map((instance) => this.describe(instance)));
  }

  private async describe({ name, url }: Instance) {
    const [{ answer, latest, misses }, figures] = await Promise.all([
      this.statuses.current(url),
      this.metrics.current(url),
    ]);
    // An instance that hangs is shown with its last failure. A single late response may be caused by a delay in the
    // desk itself.
    const status = answer ?? (latest?.ready && misses >= MIN_MISSES ? undefined : latest);
    const isUnchecked = status === undefined && misses < MIN_MISSES;
    const metrics = figures.answer ?? figures.latest;
    const { version = null, redis = null, settings = null } = status ?? {};
    const isSlow = typeof metrics === 'object' && metrics.is_slow === true;
    const { problem, problem_codes } = addProblem(
      status ?? (isUnchecked ? UNCHECKED : TOO_SLOW),
      isSlow,
    );
    const upOrUnchecked = isUnchecked ? ('unknown' as const) : ('up' as const);
    const upOrImpaired = problem === null ? upOrUnchecked : ('impaired' as const);
    const isRead = typeof metrics === 'object';
    const shown = isRead ? metrics : NO_METRICS;
    return {
      ...shown,
      name,
      address: url,
      state: status?.ready === false ? ('down' as const) : upOrImpaired,
      version,
      problem,
      problem_codes,
      ms: status?.ready ? status.ms : null,
      // A ready instance has just read the database and, unless it is embedded, found that it accepts writes.
      database: status?.ready ? ('up' as const) : shown.database,
      redis,
      settings,
      has_figures: isRead,
      // True means that the instance's `metrics_ips` does not contain the desk's address.
      figures_refused: metrics === 'refused',
    };
  }
}

/** Adds the problem that the metrics of a slow instance report. The instance may still pass its health check. */
function addProblem({ problem, problem_codes: codes }: Problem, isSlow: boolean): Problem {
  if (!isSlow) return { problem, problem_codes: codes };
  return {
    problem: [problem, INSTANCE_PROBLEMS.overloaded].filter((one) => one !== null).join(', '),
    problem_codes: [...codes, 'overloaded'],
  };
}

/** Polls instances with at most one pending request each. A page waits at most a second for the response. */
class InstancePoller<T> {
  private readonly asked = new Map<
    string,
    { at: number; isPending: boolean; answer: Promise<T>; latest: T | undefined; misses: number }
  >();

  constructor(
    private readonly ask: (url: string) => Promise<T>,
    private readonly everyMs: (latest: T | undefined) => number,
  ) {}

  /** `misses` counts the calls since the last timely response, including this call. */
  async current(
    url: string,
  ): Promise<{ answer: T | undefined; latest: T | undefined; misses: number }> {
    const now = performance.now();
    let question = this.asked.get(url);
    if (!question || (!question.isPending && now - question.at >= this.everyMs(question.latest))) {
      const { latest, misses = 0 } = question ?? {};
      const asked = { at: now, isPending: true, answer: this.ask(url), latest, misses };
      void asked.answer.then((found) => Object.assign(asked, { latest: found, isPending: false }));
      this.asked.set(url, (question = asked));
    }
    const { latest } = question;
    const late = pause(TIMEOUT_MS, undefined, { ref: false });
    const answer = await Promise.race([question.answer, late]);
    question.misses = answer === undefined ? question.misses + 1 : 0;
    return { answer, latest, misses: question.misses };
  }
}
