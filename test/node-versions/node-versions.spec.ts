import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { delimiter } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inProject } from '../support/servers/gatehouse-process.js';
import { ManagedProcess } from '../support/servers/processes.js';

const PROJECTS = ['unit', 'embedded', 'processes'];

describe('the tests that need nothing but Node', () => {
  it.each([22, 24])(
    'pass on Node %i',
    async (major) => {
      const bin = await installNode(major);
      const args = PROJECTS.flatMap((project) => ['--project', project]);
      const vitest = new ManagedProcess(
        'node',
        [inProject('node_modules/vitest/vitest.mjs'), 'run', ...args],
        {
          cwd: inProject('.'),
          env: { PATH: [bin, process.env.PATH].join(delimiter), NO_COLOR: '1' },
        },
      );
      expect(await vitest.exit, vitest.output).toBe(0);
      expect(vitest.output).toMatch(/Tests +\d+ passed/);
    },
    900_000,
  );
});

/** The npm package `node` brings the binary. Kept for the next run. */
async function installNode(major: number): Promise<string> {
  const folder = inProject(`.cache/node-${major}`);
  const bin = join(folder, 'node_modules/.bin');
  if (!existsSync(join(bin, 'node'))) {
    const npm = new ManagedProcess(
      'npm',
      ['install', '--no-save', '--prefix', folder, `node@${major}`],
      { cwd: inProject('.') },
    );
    expect(await npm.exit, npm.output).toBe(0);
  }
  const version = new ManagedProcess(join(bin, 'node'), ['--version']);
  await version.exit;
  expect(version.output).toMatch(new RegExp(`^v${major}\\.`));
  return bin;
}
