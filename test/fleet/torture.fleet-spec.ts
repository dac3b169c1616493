import { expect, it } from 'vitest';
import { inProject } from '../support/servers/gatehouse-process.js';
import { ManagedProcess } from '../support/servers/processes.js';

/** A run as `npm run torture` does it, with a seed of its own each time; a failure prints the seed to replay. */
it('holds every invariant through two minutes of torture', async () => {
  const args = ['--minutes', '2', '--shrink-minutes', '0'];
  const torture = new ManagedProcess('node', [inProject('torture/run.mjs'), ...args]);
  const status = await torture.exit;
  const [closing = ''] = torture.output.split('\n').slice(-1);
  console.log(closing);
  expect(status, torture.output).toBe(0);
  // A torture that did nothing would find nothing.
  const count = (pattern: RegExp) => Number(pattern.exec(closing)?.[1]);
  expect(count(/(\d+) operations/)).toBeGreaterThan(600);
  expect(count(/(\d+) of them met a fault/)).toBeGreaterThan(80);
  expect(count(/(\d+) violations/)).toBe(0);
}, 400_000);
