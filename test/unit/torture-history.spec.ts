import { beforeAll, describe, expect, it } from 'vitest';
import { inProject } from '../support/servers/gatehouse-process.js';

interface Entry {
  n: number;
  at: number;
  op?: string;
  fault?: string;
}

interface Modules {
  drawMinute: (minute: number, options: object) => Entry[];
  shrink: (
    played: Entry[],
    culprit: Entry | undefined,
    stillFails: (entries: Entry[]) => Promise<boolean>,
  ) => Promise<{ history: Entry[]; tries: number }>;
  replay: (entries: Entry[]) => (minute: number) => Entry[] | undefined;
  wrongPlaces: (registered: number, days: Array<{ taken: number }>, cap: number) => string[][];
  ALL_FAULTS: string[];
}

let torture: Modules;
let options: object;

beforeAll(async () => {
  const files = ['history', 'shrink', 'registration-places', 'fault-kinds'];
  const modules = await Promise.all(
    files.map((file) => import(inProject(`torture/${file}.mjs`)) as Promise<object>),
  );
  torture = Object.assign({}, ...modules) as Modules;
  options = { seed: 7, rate: 12, instances: 2, faults: torture.ALL_FAULTS };
});

describe('A torture history', () => {
  it('depends only on its seed', () => {
    const drawn = (minute: number, change = {}) =>
      JSON.stringify(torture.drawMinute(minute, { ...options, ...change }));
    const [first, second] = [drawn(0), drawn(1)];
    expect(drawn(1)).toBe(second);
    expect(drawn(0)).toBe(first);
    expect(drawn(0, { seed: 8 })).not.toBe(first);
  });

  it('lists operations and faults by time with unique numbers', () => {
    const entries = [0, 1].flatMap((minute) => torture.drawMinute(minute, options));
    expect(entries.filter(({ op }) => op).length).toBeGreaterThan(1000);
    expect(entries.filter(({ fault }) => fault).length).toBeGreaterThan(30);
    expect(new Set(entries.map(({ n }) => n)).size).toBe(entries.length);
    const times = entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });
});

describe('Shrinking a failing history', () => {
  const needs =
    (...culprits: Entry[]) =>
    (entries: Entry[]) =>
      Promise.resolve(culprits.every(({ n }) => entries.some((entry) => entry.n === n)));

  it('keeps only the failing operation', async () => {
    const played = torture.drawMinute(0, options);
    const culprit = played[200]!;
    expect((await torture.shrink(played, culprit, needs(culprit))).history).toEqual([culprit]);
    const { history, tries } = await torture.shrink(played, undefined, needs(culprit));
    expect(history).toEqual([culprit]);
    expect(tries).toBeLessThan(60);
  });

  it('keeps an operation and the fault that triggers its failure', async () => {
    const played = torture.drawMinute(0, options);
    const fault = played.find((entry) => entry.fault && entry.at > 30_000)!;
    const culprit = played[played.indexOf(fault) + 1]!;
    const { history } = await torture.shrink(played, culprit, needs(fault, culprit));
    expect(history).toEqual([fault, culprit]);
  });

  it('keeps a history that fails only as a whole, without its pauses', async () => {
    const played = [0, 400, 90_000].map((at, n) => ({ n, at, op: 'enter' }));
    const { history } = await torture.shrink(played, undefined, needs(...played));
    expect(history).toEqual(played);
    const minuteOf = torture.replay(history);
    expect(minuteOf(0)!.map(({ at }) => at)).toEqual([0, 400, 1900]);
    expect(minuteOf(1)).toBeUndefined();
  });
});

it('The torture test checks the daily limit per day, not per run', () => {
  expect(torture.wrongPlaces(20, [{ taken: 12 }, { taken: 8 }], 12)).toEqual([]);
  expect(torture.wrongPlaces(13, [{ taken: 13 }], 12)).toHaveLength(1);
  expect(torture.wrongPlaces(14, [{ taken: 12 }, { taken: 1 }], 12)).toHaveLength(1);
});
