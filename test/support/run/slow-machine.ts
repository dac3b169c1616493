import { expect } from 'vitest';
import { CONNECTION_TIMEOUT_MS } from '../../../src/platform/database/time-limits.js';

/** Ends a test that can say nothing of the service, since the machine was too slow for it; Vitest begins it again, twice at most. */
export function retryIfTooSlow(isTooSlow: boolean): void {
  if (isTooSlow) throw new Error('too slow');
}

/** Where a request was given up after a wait, of which the shortest is 2 s. What is given up before that counts. */
export function retryIfTimedOut(since: number, answers: Array<{ status: number }>): void {
  const isGivenUp = answers.some(({ status }) => status === 503 || status === 202);
  retryIfTooSlow(isGivenUp && performance.now() - since > CONNECTION_TIMEOUT_MS);
}

/**
 * The answers to requests that were made at once, and that wait for each other. `never` is claimed of them first: what
 * a slow machine excuses is that too few are served, not that too many are.
 */
export async function answersInTime<Answer extends { status: number }>(
  asked: Array<Promise<Answer>>,
  never: (answers: Answer[]) => void = () => undefined,
): Promise<Answer[]> {
  const since = performance.now();
  const answers = await Promise.all(asked);
  never(answers);
  retryIfTimedOut(since, answers);
  return answers;
}

/** For `answersInTime`: of these, never more than so many. */
export function neverMoreThan<Answer extends { status: number }>(
  most: number,
  isIt: (answer: Answer) => boolean = ({ status }) => status === 200,
) {
  return (answers: Answer[]): void => expect(answers.filter(isIt).length).toBeLessThanOrEqual(most);
}
