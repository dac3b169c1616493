import { expect } from 'vitest';
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

/**
 * The answers to requests that were made at once, and that wait for each other. `never` is claimed of them first: what
 * a slow machine excuses is that too few are served, not that too many are.
 */
export async function inTime<Answer extends { status: number }>(
  asked: Array<Promise<Answer>>,
  never: (answers: Answer[]) => void = () => undefined,
): Promise<Answer[]> {
  const since = performance.now();
  const answers = await Promise.all(asked);
  never(answers);
  breakOffIfSlow(since, answers);
  return answers;
}

/** For `inTime`: of these, never more than so many. */
export function neverMoreThan<Answer extends { status: number }>(
  most: number,
  isIt: (answer: Answer) => boolean = ({ status }) => status === 200,
) {
  return (answers: Answer[]): void => expect(answers.filter(isIt).length).toBeLessThanOrEqual(most);
}
