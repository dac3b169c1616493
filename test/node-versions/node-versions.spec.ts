import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inProject } from '../support/servers/gatehouse-process.js';
import { ManagedProcess } from '../support/servers/processes.js';

const PROJECTS = ['unit', 'embedded', 'processes'];
/** These tests run on three databases already. The hosted workflow runs them on each version of Node.js. */
const EXCLUDED = 'test/api/database/**';
/** Ends only a run that hangs; a normal run takes two minutes. */
const LIMIT = 30 * 60_000;

describe('The tests that need only Node.js', { timeout: LIMIT }, () => {
  it.each([22, 24])('pass on Node.js %i', async (major) => {
    const bin = await installNode(major);
    const projects = PROJECTS.flatMap((project) => ['--project', project]);
    const vitest = new ManagedProcess(
      'node',
      [inProject('node_modules/vitest/vitest.mjs'), 'run', ...projects, '--exclude', EXCLUDED],
      {
        cwd: inProject('.'),
        env: { PATH: [bin, process.env.PATH].join(delimiter), NO_COLOR: '1' },
      },
    );
    expect(await vitest.exit, vitest.output).toBe(0);
    expect(vitest.output).toMatch(/Tests +\d+ passed/);
  });
});

/** Installs the npm package `node`, which contains the binary, and keeps it for the next run. */
async function installNode(major: number): Promise<string> {
  const folder = inProject(`.cache/node-${major}`);
  const bin = join(folder, 'node_modules/.bin');
  if (!existsSync(join(bin, 'node'))) {
    mkdirSync(folder, { recursive: true });
    // Without this file, npm would install into the project.
    writeFileSync(join(folder, 'package.json'), '{}');
    const npm = new ManagedProcess('npm', ['install', `node@${major}`], {
      cwd: folder,
      env: process.env,
    });
    expect(await npm.exit, npm.output).toBe(0);
  }
  const version = new ManagedProcess(join(bin, 'node'), ['--version']);
  await version.exit;
  expect(version.output).toMatch(new RegExp(`^v${major}\\.`));
  return bin;
}
