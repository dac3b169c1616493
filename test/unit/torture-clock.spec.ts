import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ManagedProcess } from '../support/servers/processes.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';

interface SteppedClock {
  env: Record<string, string>;
  step(ms: number, pidsOf: () => Array<number | undefined>): Promise<void>;
}
interface Harness {
  Clock: new (file: string) => SteppedClock;
}

// The harness is plain JavaScript, which the type check excludes.
const harness = new URL('../../torture/clock.mjs', import.meta.url).href;
const { Clock } = (await import(harness)) as Harness;

const DAY_MS = 86_400_000;
const TELLS_THE_TIME = `
  let turn = 0;
  process.on('SIGUSR2', () => console.log('turn ' + turn++ + ': ' + Date.now()));
  setInterval(() => {}, 1000);
  console.log('ready');
`;

const folder = temporaryFolder('clock');
let instance: ManagedProcess | undefined;

afterEach(async () => {
  await instance?.stop('SIGKILL');
  removeFolder(folder);
});

describe('The torture clock', () => {
  it("keeps an instance's time in step with the harness", async () => {
    const clock = new Clock(join(folder, 'clock'));
    instance = new ManagedProcess('node', ['-e', TELLS_THE_TIME], { env: clock.env });
    await instance.waitForLine(/ready/);
    for (const [turn, offset] of [DAY_MS, 0, -DAY_MS, 0].entries()) {
      await clock.step(offset, () => [instance!.pid]);
      instance.signal('SIGUSR2');
      const [, told] = await instance.waitForLine(new RegExp(`^turn ${turn}: (\\d+)`));
      expect(Math.abs(Number(told) - Date.now() - offset)).toBeLessThan(DAY_MS / 2);
    }
  });
});
