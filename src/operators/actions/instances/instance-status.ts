/** Describes an instance's problems for the terminal. */
export const INSTANCE_PROBLEMS = {
  redis_down: 'Redis is down',
  settings_refused: 'the settings file is refused',
  agreement_missing: 'the agreement cannot be read',
  mail_template_broken: 'a mail template is broken',
  not_ready: 'it stops, or its account database is down or accepts no writes (gatehouse check)',
  bad_answer: 'answers',
  no_answer: 'does not answer',
  too_slow: 'it does not answer within a second',
  overloaded: 'its event loop lags by half a second or more',
} as const;
export type ProblemCode = keyof typeof INSTANCE_PROBLEMS;

const TIMEOUT_MS = 5000;

export interface InstanceStatus {
  url: string;
  ready: boolean;
  ms: number;
  /** The version is null if the instance's `metrics_ips` does not contain the address of this machine. */
  version: string | null;
  problem: string | null;
  /** Programs and translated pages identify the problems by these codes. */
  problem_codes: ProblemCode[];
  redis: string | null;
  settings: string | null;
  agreement: string | null;
  mail_templates: string | null;
}

export async function fetchInstanceStatus(url: string): Promise<InstanceStatus> {
  const started = performance.now();
  const elapsedMs = () => Math.round(performance.now() - started);
  const failure = (problem: string, code: ProblemCode): InstanceStatus => ({
    url,
    ready: false,
    ms: elapsedMs(),
    version: null,
    problem,
    problem_codes: [code],
    redis: null,
    settings: null,
    agreement: null,
    mail_templates: null,
  });
  try {
    const answer = await fetch(new URL('/api/health/ready', url), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    });
    const body = (await answer.json()) as { data?: Record<string, string>; error?: string };
    const { data } = body;
    if (answer.status !== 200 || !data) {
      const problem = `${INSTANCE_PROBLEMS.bad_answer} ${answer.status} ${body.error ?? ''}`.trim();
      return answer.status === 503
        ? failure(`${problem}: ${INSTANCE_PROBLEMS.not_ready}`, 'not_ready')
        : failure(problem, 'bad_answer');
    }
    const { redis = '', settings = '', agreement = '', mail_templates = '' } = data;
    const version = [data.version, data.commit?.slice(0, 9)].filter(Boolean).join(' ') || null;
    return {
      url,
      ready: true,
      ms: elapsedMs(),
      version,
      redis,
      settings,
      agreement,
      mail_templates,
      ...problemOf(data),
    };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error & { code?: string } };
    const reason = cause?.code ?? cause?.message ?? message;
    return failure(`${INSTANCE_PROBLEMS.no_answer}: ${reason}`, 'no_answer');
  }
}

/** Returns whether the instances run different versions, which means that an upgrade is unfinished. */
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
