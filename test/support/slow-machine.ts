import { CONNECTION_WAIT_MS } from '../../src/database/time-limits.js';

/** Ends a test that can say nothing of the service, since the machine was too slow for it; Vitest begins it again, twice at most. */
export function breakOffIf(isTooSlow: boolean): void {
  if (isTooSlow) throw new Error('too slow');
}

/** Where a request was given up after a wait, of which the shortest is 2 s. What is given up before that counts. */
export function breakOffIfSlow(since: number, answers: Array<{ status: number }>): void {
  const isGivenUp = answers.some(({ status }) => status === 503 || status === 202);
  breakOffIf(isGivenUp && performance.now() - since > CONNECTION_WAIT_MS);
}

/** The answers to requests that were made at once, and that wait for each other. */
export async function inTime<Answer extends { status: number }>(
  asked: Array<Promise<Answer>>,
): Promise<Answer[]> {
  const since = performance.now();
  const answers = await Promise.all(asked);
  breakOffIfSlow(since, answers);
  return answers;
}
