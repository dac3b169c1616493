import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HealthCheck } from './health-checks.js';

let answers: ((said: boolean) => void)[];
let thing: HealthCheck;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  answers = [];
  thing = new HealthCheck(() => new Promise((resolve) => answers.push(resolve)));
});
afterEach(() => vi.useRealTimers());

/** Returns the result, or `nothing` after 100 ms, which is twice the time allowed for a slow check. */
const saidSoon = (asked: Promise<boolean>) =>
  Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 100, 'nothing'))]);

async function learn(said: boolean): Promise<void> {
  const asked = thing.isHealthy();
  answers.pop()!(said);
  expect(await asked).toBe(said);
}

describe('HealthCheck', () => {
  it('waits for the result of the first check', async () => {
    expect(await saidSoon(thing.isHealthy())).toBe('nothing');
  });

  it('returns the result of a quick check', async () => {
    await learn(true);
    await learn(false);
    await learn(true);
  });

  it('stays healthy for 2 s after a good result while a check is slow', async () => {
    await learn(true);
    vi.advanceTimersByTime(1900);
    expect(await thing.isHealthy()).toBe(true);
    vi.advanceTimersByTime(200);
    const asked = thing.isHealthy();
    expect(await saidSoon(asked)).toBe('nothing');
    answers.pop()!(false);
    expect(await asked).toBe(false);
  });

  it('waits for the next check after a bad result', async () => {
    await learn(true);
    await learn(false);
    expect(await saidSoon(thing.isHealthy())).toBe('nothing');
  });
});
