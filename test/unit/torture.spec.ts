import { describe, expect, it } from 'vitest';
import type { Withdrawal } from '../../src/features/withdraw/record/withdrawal.entity.js';
import { notUnknownError } from '../../src/operators/actions/withdrawals/withdrawal-actions.js';

interface Watched {
  name: number;
  isReady(): Promise<boolean>;
  logs(): string;
}
interface Watch {
  longest: number;
  begin(
    entry: object,
    instances: Watched[],
    serves: () => Promise<boolean>,
  ): () => Promise<unknown>;
}
type Calm = () => number | undefined;
interface Harness {
  NodeWatch: new (calm: Calm, violate: (what: string) => void, readyWithinMs: number) => Watch;
  weightsOf: (faults: string[], engine: string) => Record<string, number>;
  stopByItself: (instance: object) => Promise<void>;
  REFUSED: RegExp;
}

// The harness is plain JavaScript, which the type check excludes.
const inTorture = (file: string) => new URL(`../../torture/${file}`, import.meta.url).href;
const { NodeWatch } = (await import(inTorture('node-watch.mjs'))) as Harness;
const { weightsOf } = (await import(inTorture('fault-kinds.mjs'))) as Harness;
const { stopByItself } = (await import(inTorture('stops.mjs'))) as Harness;
const { REFUSED } = (await import(inTorture('refusals.mjs'))) as Harness;

/** Removes one node for six polls, and makes an instance unready during the first `unready` of them. */
async function whileNodeIsAway({
  unready,
  calm = () => 0,
  serves = true,
  readyWithinMs = 1,
}: {
  unready: number;
  readyWithinMs?: number;
  calm?: Calm;
  serves?: boolean;
}) {
  const violations: string[] = [];
  const watch = new NodeWatch(calm, (what) => violations.push(what), readyWithinMs);
  let looks = 0;
  let seenAll!: () => void;
  const allSeen = new Promise<void>((resolve) => (seenAll = resolve));
  const isReady = async () => {
    if (++looks === 6) seenAll();
    return looks > unready;
  };
  const back = watch.begin({}, [{ name: 0, isReady, logs: () => '' }], async () => serves);
  if (unready < 6 || !serves || calm() === undefined) await allSeen;
  await back();
  return { violations, longest: watch.longest };
}

describe('The torture test, while one of three nodes is down,', () => {
  it('requires instances to become ready again in time', async () => {
    const { violations } = await whileNodeIsAway({ unready: Infinity });
    expect(violations).toEqual(['not ready 10 s after one node of three was lost']);
    const { violations: none, longest } = await whileNodeIsAway({
      unready: 1,
      readyWithinMs: 60_000,
    });
    expect(none).toEqual([]);
    expect(longest).toBeGreaterThan(0);
  });

  it('expects nothing of an instance that has a fault, or while no other node commits', async () => {
    let faults = 0;
    const on = await whileNodeIsAway({ unready: Infinity, calm: () => undefined });
    const again = await whileNodeIsAway({ unready: 5, calm: () => faults++ });
    const alone = await whileNodeIsAway({ unready: 10, serves: false });
    expect([on, again, alone].flatMap(({ violations }) => violations)).toEqual([]);
  });
});

it('The torture test injects node faults only for a cluster', () => {
  const kinds = ['kill', 'database-kill', 'node-replace', 'node-cut'];
  expect(weightsOf(kinds, 'mariadb')).toEqual({ kill: 6, 'database-kill': 2 });
  expect(Object.keys(weightsOf(kinds, 'galera'))).toEqual(kinds);
  expect(weightsOf(['node-cut'], 'galera')).toEqual({ 'node-cut': expect.any(Number) });
});

describe('An instance that the torture test stops', () => {
  // `enforceStopDeadline` logs this message.
  const deadline = 'still closing 18 s after the stop signal: exiting without finishing it';
  const stopped = (status: number | string, log = '') =>
    stopByItself({ name: 0, stop: async () => status, logs: () => log });

  it('may exit with 0 or at its own deadline', async () => {
    await stopped(0);
    await stopped(1, deadline);
  });

  it.each([
    ['SIGKILL', deadline],
    ['SIGKILL', ''],
    [1, 'the process stops after an unexpected error'],
    ['SIGABRT', ''],
  ])('violates an invariant if it exits with %s and logs "%s"', async (status, log) => {
    const what = 'an instance did not stop as it should';
    await expect(stopped(status, log)).rejects.toMatchObject({ what });
  });
});

describe('A torture command that comes too late', () => {
  it.each(['failed', 'sending'])('may find a withdrawal in the state %s', (status) => {
    expect(notUnknownError({ id: 7, status } as Withdrawal).message).toMatch(REFUSED);
  });
});
