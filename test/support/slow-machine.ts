import { CONNECTION_WAIT_MS } from '../../src/database/time-limits.js';

/** Options of tests whose requests wait for each other: one that the machine was too slow for begins again. */
export const AGAIN_IF_SLOW = { retry: { count: 2, condition: /^too slow$/ } };

export function breakOffIf(isTooSlow: boolean): void {
  if (isTooSlow) throw new Error('too slow');
}

/** Where a request was given up after a wait, of which the shortest is 2 s. What is given up before that counts. */
export function breakOffIfSlow(since: number, answers: Array<{ status: number }>): void {
  const isGivenUp = answers.some(({ status }) => status === 503 || status === 202);
  breakOffIf(isGivenUp && performance.now() - since > CONNECTION_WAIT_MS);
}
