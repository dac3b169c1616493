import { type ProblemCode, INSTANCE_PROBLEMS } from './instance-problems.js';

const TIMEOUT_MS = 5000;

export interface InstanceStatus {
  url: string;
  ready: boolean;
  ms: number;
  version: string | null;
  /** The problem; null if there is none. */
  problem: string | null;
  /** The same for programs and for pages in other languages. */
  problem_codes: ProblemCode[];
  redis: string | null;
  settings: string | null;
  agreement: string | null;
  mail_templates: string | null;
}

/** What an instance reports about itself. */
export async function fetchInstanceStatus(url: string): Promise<InstanceStatus> {
  const started = performance.now();
  const elapsedMs = () => Math.round(performance.now() - started);
  const unknown = {
    version: null,
    redis: null,
    settings: null,
    agreement: null,
    mail_templates: null,
  };
  try {
    const answer = await fetch(new URL('/api/health/ready', url), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    });
    const body = (await answer.json()) as { data?: Record<string, string>; error?: string };
    const [ms, { data }] = [elapsedMs(), body];
    if (answer.status !== 200 || !data) {
      const problem = `${INSTANCE_PROBLEMS.bad_answer} ${answer.status} ${body.error ?? ''}`.trim();
      const isNotReady = answer.status === 503;
      return {
        ...unknown,
        url,
        ready: false,
        ms,
        problem: isNotReady ? `${problem}: ${INSTANCE_PROBLEMS.not_ready}` : problem,
        problem_codes: [isNotReady ? 'not_ready' : 'bad_answer'],
      };
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
      ...problemOf(data),
    };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    const problem = `${INSTANCE_PROBLEMS.no_answer}: ${cause?.code ?? cause?.message ?? message}`;
    const codes: ProblemCode[] = ['no_answer'];
    return { ...unknown, url, ready: false, ms: elapsedMs(), problem, problem_codes: codes };
  }
}

/** Whether the fleet runs more than one version: an upgrade is not finished. */
export function versionsDiffer(instances: ReadonlyArray<Pick<InstanceStatus, 'version'>>): boolean {
  return new Set(instances.flatMap(({ version }) => version ?? [])).size > 1;
}

function problemOf(ready: Record<string, string>) {
  const codes: ProblemCode[] = [];
  if (ready.redis === 'down') codes.push('redis_down');
  if (ready.settings === 'refused') codes.push('settings_refused');
  if (ready.agreement === 'missing') codes.push('agreement_missing');
  if (ready.mail_templates === 'fallback') codes.push('mail_template_broken');
  return {
    problem: codes.map((code) => INSTANCE_PROBLEMS[code]).join(', ') || null,
    problem_codes: codes,
  };
}
