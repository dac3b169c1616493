import { setTimeout as pause } from 'node:timers/promises';
import { CommandFailed } from '../cli/command.js';
import type { VerificationResult } from './verifier.js';

const MAX_WAITS = 10;

/** Before the proof, which may take long. */
export async function requireInstance(url: string): Promise<void> {
  const problem = await fetch(new URL('/api/health/live', url), {
    signal: AbortSignal.timeout(10_000),
  })
    .then(({ status }) => (status === 200 ? undefined : `HTTP ${status}`))
    .catch(reasonOf);
  if (problem !== undefined)
    throw new CommandFailed(`no instance answers at --url ${url}: ${problem}`);
}

/** Sends the tokens of a sample to a running instance. Returns those it did not accept. */
export async function findTokensRejectedOverHttp(
  url: string,
  sample: VerificationResult['sample'],
): Promise<string[]> {
  const refused: string[] = [];
  for (const { name, password, ban } of sample) {
    const error = await check(url, name, password).catch(reasonOf);
    if (error !== (ban ? 'account_disabled' : undefined))
      refused.push(`${name}: ${error ?? 'a banned player is let in'}`);
  }
  return refused;
}

/** The name of the error; undefined if the token was accepted. */
async function check(url: string, account: string, token: string): Promise<string | undefined> {
  for (let waits = 0; ; waits++) {
    const answer = await fetch(new URL('/api/check', url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ account, token }),
      signal: AbortSignal.timeout(10_000),
    });
    const body = (await answer.json()) as { error?: string; retry_after?: number };
    if (answer.status !== 429 || waits === MAX_WAITS) return body.error;
    await pause((body.retry_after ?? 1) * 1000);
  }
}

function reasonOf({ message, cause }: Error): string {
  const reason = cause as NodeJS.ErrnoException | undefined;
  return reason?.code ?? reason?.message ?? message;
}
