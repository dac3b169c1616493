import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LastKnown } from './last-known.js';

let answers: ((said: boolean) => void)[];
let known: LastKnown;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  answers = [];
  known = new LastKnown(() => new Promise((resolve) => answers.push(resolve)));
});
afterEach(() => vi.useRealTimers());

/** What is said within 300 ms, whatever becomes of the look. */
const saidSoon = (asked: Promise<boolean>) =>
  Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 300, 'nothing'))]);

async function learn(said: boolean): Promise<void> {
  const asked = known.now();
  answers.pop()!(said);
  expect(await asked).toBe(said);
}

it('waits for the first look', async () => {
  expect(await saidSoon(known.now())).toBe('nothing');
});

it('says what a quick look says', async () => {
  await learn(true);
  await learn(false);
  await learn(true);
});

it('says what it knows while a look takes long, for 2 s', async () => {
  await learn(true);
  vi.advanceTimersByTime(1900);
  expect(await saidSoon(known.now())).toBe(true);
  vi.advanceTimersByTime(200);
  const asked = known.now();
  expect(await saidSoon(asked)).toBe('nothing');
  answers.pop()!(false);
  expect(await asked).toBe(false);
});
