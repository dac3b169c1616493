const TIMEOUT_MS = 5000;

/** What the metrics of an instance tell. Each is null where it has none of that name. */
export interface InstanceMetrics {
  database: 'up' | 'down' | null;
  /** Milliseconds that work waits for the event loop, 99 of 100 times less. */
  loop_ms: number | null;
  /** Seconds of the slowest mail in the last ten minutes. */
  slowest_mail: number | null;
  /** Requests for a code since its start that the mail server took no mail for. */
  failed_mails: number | null;
  mails_last_hour: { all: number; failed: number; slow: number } | null;
}

export const NO_METRICS: InstanceMetrics = {
  database: null,
  loop_ms: null,
  slowest_mail: null,
  failed_mails: null,
  mails_last_hour: null,
};

/** Why there are no figures: it does not let us read its metrics (`metrics_ips`), or does not answer. */
export type MetricsFailure = 'refused' | 'no_answer';

/** Costs an instance more than its health. */
export async function fetchInstanceMetrics(url: string): Promise<InstanceMetrics | MetricsFailure> {
  try {
    const answer = await fetch(new URL('/api/metrics', url), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    });
    if (answer.ok) return parseMetrics(await answer.text());
    // Others are of an instance in trouble.
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
  const mails = (which: string) => read(`gatehouse_mails_last_hour{which="${which}"}`);
  const [all, failed, slow] = [mails('all'), mails('failed'), mails('slow')];
  const [up, lag] = [read('gatehouse_database_up'), read('nodejs_eventloop_lag_p99_seconds')];
  return {
    database: up === null ? null : up === 1 ? 'up' : 'down',
    loop_ms: lag === null ? null : Math.round(lag * 1000),
    slowest_mail: read('gatehouse_mail_slowest_seconds'),
    failed_mails: read('gatehouse_codes_total{outcome="mail_unavailable"}'),
    mails_last_hour:
      all === null || failed === null || slow === null ? null : { all, failed, slow },
  };
}
