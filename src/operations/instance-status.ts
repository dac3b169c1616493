const PATIENCE_MS = 5000;
const NOT_READY = 'it stops, or its account database is down or takes no writes (gatehouse check)';

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
}

/** What an instance says of itself. */
export async function statusOf(url: string): Promise<InstanceStatus> {
  const started = performance.now();
  const ended = () => Math.round(performance.now() - started);
  const unknown = {
    version: null,
    redis: null,
    settings: null,
    agreement: null,
    mail_templates: null,
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
      problem: problemOf(data),
    };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    const problem = `does not answer: ${cause?.code ?? cause?.message ?? message}`;
    return { ...unknown, url, ready: false, ms: ended(), problem };
  }
}

/** Whether the fleet runs more than one version: an upgrade is not finished. */
export function versionsDiffer(instances: ReadonlyArray<Pick<InstanceStatus, 'version'>>): boolean {
  return new Set(instances.flatMap(({ version }) => version ?? [])).size > 1;
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
