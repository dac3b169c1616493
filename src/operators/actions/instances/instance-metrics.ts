import type { MailDeliveries } from './mail-deliveries.js';

const TIMEOUT_MS = 5000;

/** Figures from an instance's metrics. Null if a metric is missing. */
export interface InstanceMetrics {
  database: 'up' | 'down' | null;
  /** The 99th percentile of the event-loop lag, in milliseconds. */
  loop_ms: number | null;
  /** Seconds of the slowest mail in the last ten minutes. */
  slowest_mail: number | null;
  mails_last_10_minutes: MailDeliveries | null;
}

export const NO_METRICS: InstanceMetrics = {
  database: null,
  loop_ms: null,
  slowest_mail: null,
  mails_last_10_minutes: null,
};

/** Why there are no figures: the instance does not allow us to read its metrics (`metrics_ips`), or does not answer. */
export type MetricsFailure = 'refused' | 'no_answer';

/** More expensive for an instance than a health check. */
export async function fetchInstanceMetrics(url: string): Promise<InstanceMetrics | MetricsFailure> {
  try {
    const answer = await fetch(new URL('/api/metrics', url), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    });
    if (answer.ok) return parseMetrics(await answer.text());
    // Only an instance in trouble has other values.
    return answer.status === 403 ? 'refused' : 'no_answer';
  } catch {
    return 'no_answer';
  }
}

function parseMetrics(text: string): InstanceMetrics {
  const values = new Map(text.split('\n').map((line) => line.split(' ', 2) as [string, string]));
  const read = (name: string) => {
    const value = Number(values.get(name) ?? NaN);
    return Number.isFinite(value) ? value : null;
  };
  const [up, lag] = [read('gatehouse_database_up'), read('nodejs_eventloop_lag_p99_seconds')];
  return {
    database: up === null ? null : up === 1 ? 'up' : 'down',
    loop_ms: lag === null ? null : Math.round(lag * 1000),
    slowest_mail: read('gatehouse_mail_slowest_seconds'),
    mails_last_10_minutes: parseDeliveries(text),
  };
}

function parseDeliveries(text: string): MailDeliveries | null {
  const lines = [
    ...text.matchAll(/^gatehouse_mails_last_10_minutes\{outcome="(\w+)",reply="(\w+)"\} (\d+)$/gm),
  ].map(([, outcome, reply, count]) => ({ outcome, reply: reply!, count: Number(count) }));
  if (lines.length === 0) return null;
  const taken = lines.filter(({ outcome }) => outcome === 'taken');
  const failed = lines.filter(({ outcome, count }) => outcome === 'failed' && count > 0);
  return {
    taken: taken.reduce((sum, { count }) => sum + count, 0),
    failed: Object.fromEntries(failed.map(({ reply, count }) => [reply, count])),
  };
}
