import type { Environment } from '../../../platform/config/environment.js';
import type { SettingsValues } from '../../../platform/config/settings.schema.js';
import { instanceUrl } from '../../../platform/config/host-list-url.js';

const LOOPBACK_OF_WILDCARD: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
const TIMEOUT_MS = 5000;

// Fewer 5xx rejections than this probably mean that the e-mail addresses do not exist.
const MIN_FAILURES = 3;
const FAILING_ONE_IN = 10;

/** Counts the e-mail deliveries of the last ten minutes. */
export interface MailDeliveries {
  taken: number;
  /** Counts failures by the mail server's reply code. The code `none` means that the mail server did not reply. */
  failed: Record<string, number>;
}

/** A metric that the instance does not report is null. */
export interface InstanceMetrics {
  database: 'up' | 'down' | null;
  /** This is the 99th percentile of the event loop lag in milliseconds. */
  loop_ms: number | null;
  is_slow: boolean | null;
  mail_is_slow: boolean | null;
  /** The slowest e-mail delivery of the last ten minutes took this many seconds. */
  slowest_mail: number | null;
  mails_last_10_minutes: MailDeliveries | null;
}

export const NO_METRICS: InstanceMetrics = {
  database: null,
  loop_ms: null,
  is_slow: null,
  mail_is_slow: null,
  slowest_mail: null,
  mails_last_10_minutes: null,
};

/** `refused` means that the instance's `metrics_ips` does not contain the address of this machine. */
export type MetricsFailure = 'refused' | 'no_answer';

/** Fetches the metrics, which costs an instance more than a health check. */
export async function fetchInstanceMetrics(url: string): Promise<InstanceMetrics | MetricsFailure> {
  try {
    const answer = await fetch(new URL('/api/metrics', url), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    });
    if (answer.ok) return parseMetrics(await answer.text());
    // An instance responds with any other error status only if it has a problem.
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
  const isOn = (name: string) => {
    const value = read(name);
    return value === null ? null : value === 1;
  };
  const [up, lag] = [read('gatehouse_database_up'), read('nodejs_eventloop_lag_p99_seconds')];
  return {
    database: up === null ? null : up === 1 ? 'up' : 'down',
    loop_ms: lag === null ? null : Math.round(lag * 1000),
    is_slow: isOn('gatehouse_event_loop_slow'),
    mail_is_slow: isOn('gatehouse_mail_slow'),
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

/** Returns text such as "2 taken, 3 failed (451: 3)". */
export function describeDeliveries(deliveries: MailDeliveries): string {
  const replies = Object.entries(deliveries.failed).map(([reply, count]) =>
    reply === 'none' ? `no answer: ${count}` : `${reply}: ${count}`,
  );
  const { taken } = deliveries;
  const failed = countFailed(deliveries);
  return `${taken} taken, ${failed} failed${failed > 0 ? ` (${replies.join(', ')})` : ''}`;
}

export function areFailing(deliveries: MailDeliveries): boolean {
  const { taken } = deliveries;
  const failed = countFailed(deliveries);
  if (failed >= MIN_FAILURES) return failed * FAILING_ONE_IN >= taken + failed;
  return taken === 0 && Object.keys(deliveries.failed).some((reply) => !reply.startsWith('5'));
}

export function countFailed({ failed }: MailDeliveries): number {
  return Object.values(failed).reduce((sum, count) => sum + count, 0);
}

export function sumDeliveries(all: MailDeliveries[]): MailDeliveries {
  const failed: Record<string, number> = {};
  for (const [reply, count] of all.flatMap((one) => Object.entries(one.failed)))
    failed[reply] = (failed[reply] ?? 0) + count;
  return { taken: all.reduce((sum, { taken }) => sum + taken, 0), failed };
}

export interface Instance {
  /** The name is null for the instance on this host, which is used if none is configured. */
  name: string | null;
  url: string;
}

/** Returns the instances in the setting `desk.instances`, or the instance on this host if there are none. */
export function configuredInstances(
  { HOST, PORT }: Pick<Environment, 'HOST' | 'PORT'>,
  { desk }: Pick<SettingsValues, 'desk'>,
): Instance[] {
  const urls = [...new Set(desk.instances.flatMap((entry) => instanceUrl(entry) ?? []))];
  if (urls.length > 0) return urls.map((url) => ({ name: new URL(url).host, url }));
  if (PORT === 0) return [];
  const host = LOOPBACK_OF_WILDCARD[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST);
  return [{ name: null, url: `http://${host}:${PORT}` }];
}
