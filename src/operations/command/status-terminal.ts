import { parseArgs } from 'node:util';
import { type Report, UsageError } from '../../command/command.js';
import { terminalTable } from '../../command/terminal-table.js';
import { metricsOf } from './instance-metrics.js';

const PATIENCE_MS = 5000;
const NOT_READY = 'it stops, or its account database is down or takes no writes (gatehouse check)';

export const USAGE = `gatehouse status --url <address of an instance> [--url <another> …]
                         asks each instance whether it is ready, what it stands on, which version runs, and how
                         long its slowest mail of the last ten minutes took
Exit code 1 if one is not ready, stands on something broken, or runs another version than the others. --json prints JSON.
"slowest mail" and "mails failed" (since its start) are from its metrics: run it from an address in metrics_ips.

Example
  gatehouse status --url http://127.0.0.1:3001 --url http://127.0.0.1:3002`;

export interface InstanceStatus {
  url: string;
  ready: boolean;
  ms: number;
  version: string | null;
  /** What is wrong with it; null where nothing is. */
  problem: string | null;
  redis: string | null;
  settings: string | null;
  agreement: string | null;
  mail_templates: string | null;
  /** Seconds of the slowest mail in the last ten minutes; null where we may not read its metrics. */
  slowest_mail: number | null;
  /** Requests for a code since its start that the mail server took no mail for. */
  failed_mails: number | null;
}

/** What the instances of a fleet say of themselves. Ask each one itself, not the web server in front. */
export async function statusOfFleet(args: string[]): Promise<Report & { json: boolean }> {
  const { urls, json } = understand(args);
  const data = await Promise.all(urls.map(statusOf));
  const versions = new Set(data.flatMap(({ version }) => version ?? []));
  const ok = data.every(({ problem }) => problem === null) && versions.size <= 1;
  const text = [
    terminalTable(
      [
        'instance',
        'ready',
        'ms',
        'version',
        'redis',
        'settings',
        'agreement',
        'templates',
        'slowest mail',
        'mails failed',
        'problem',
      ],
      data.map((one) => [
        one.url,
        one.ready ? 'yes' : 'NO',
        one.ms,
        one.version,
        one.redis,
        one.settings,
        one.agreement,
        one.mail_templates,
        one.slowest_mail === null ? null : `${one.slowest_mail.toFixed(1)} s`,
        one.failed_mails,
        one.problem,
      ]),
    ),
    ...(versions.size > 1 ? ['They do not run the same version: finish the upgrade.'] : []),
  ];
  return { text: text.join('\n\n'), data, ok, json };
}

function understand(args: string[]): { urls: string[]; json: boolean } {
  try {
    const { values } = parseArgs({
      args,
      options: { url: { type: 'string', multiple: true }, json: { type: 'boolean' } },
    });
    const { url: urls = [], json = false } = values;
    const addresses = urls.map((url) => (/^[\w.[\]:-]+:\d+$/.test(url) ? `http://${url}` : url));
    const bad = addresses.find((url) => !/^https?:\/\/[^\s/]/.test(url) || !URL.canParse(url));
    if (bad !== undefined) throw new Error(`"${bad}" is no http address`);
    if (urls.length === 0) throw new Error('name the instances: --url 127.0.0.1:3001');
    return { urls: addresses, json };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function statusOf(url: string): Promise<InstanceStatus> {
  const started = performance.now();
  const ended = () => Math.round(performance.now() - started);
  const unknown = {
    version: null,
    redis: null,
    settings: null,
    agreement: null,
    mail_templates: null,
    slowest_mail: null,
    failed_mails: null,
  };
  try {
    const answer = await fetch(new URL('/api/health/ready', url), {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'manual',
    });
    const body = (await answer.json()) as { data?: Record<string, string>; error?: string };
    const [ms, { data }] = [ended(), body];
    if (answer.status !== 200 || !data) {
      const problem = `answers ${answer.status} ${body.error ?? ''}`.trim();
      const why = answer.status === 503 ? `${problem}: ${NOT_READY}` : problem;
      return { ...unknown, url, ready: false, ms, problem: why };
    }
    const metrics = await metricsOf(url);
    const { redis = '', settings = '', agreement = '', mail_templates = '' } = data;
    const version = [data.version, data.commit?.slice(0, 9)].filter(Boolean).join(' ');
    return {
      url,
      ready: true,
      ms,
      version,
      redis,
      settings,
      agreement,
      mail_templates,
      slowest_mail: metrics('gatehouse_mail_slowest_seconds'),
      failed_mails: metrics('gatehouse_codes_total', 'outcome="mail_unavailable"'),
      problem: problemOf(data),
    };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    const problem = `does not answer: ${cause?.code ?? cause?.message ?? message}`;
    return { ...unknown, url, ready: false, ms: ended(), problem };
  }
}

function problemOf(ready: Record<string, string>): string | null {
  const problems = [
    ready.redis === 'down' && 'Redis is down',
    ready.settings === 'refused' && 'the settings file is refused',
    ready.agreement === 'missing' && 'the agreement cannot be read',
    ready.mail_templates === 'fallback' && 'a mail template is broken',
  ].filter((problem) => typeof problem === 'string');
  return problems.join(', ') || null;
}
