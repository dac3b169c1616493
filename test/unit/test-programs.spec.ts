import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
// @ts-expect-error The scripts have no types.
import { installMissing } from '../../scripts/test-programs.mjs';

const MISSING = {
  name: 'lighthouse',
  packages: 'lighthouse lighthouse-lamp',
  find: () => undefined,
};
const INSTALLED = { name: 'sh', packages: 'dash', find: () => '/bin/sh' };
const UNPACKAGED = { name: 'foghorn', find: () => undefined };

describe('installMissing', () => {
  const steps: string[] = [];
  const install = (packages: string[]) => steps.push(`installed ${packages.join(', ')}`);
  beforeEach(() => {
    steps.length = 0;
    vi.spyOn(console, 'log').mockImplementation((line: string) => steps.push(line));
  });
  afterEach(() => vi.restoreAllMocks());

  const found = () =>
    new Map<object, string | undefined>([
      [MISSING, undefined],
      [INSTALLED, '/bin/sh'],
      [UNPACKAGED, undefined],
    ]);

  it('announces the packages and how to avoid them before installing them', () => {
    installMissing(found(), { isAllowed: true, install });
    expect(steps).toEqual([
      expect.stringMatching(/As root.+ lighthouse, lighthouse-lamp with apt-get.+ --no-install/),
      'installed lighthouse, lighthouse-lamp',
    ]);
  });

  it('stores the path of a program that it installed', () => {
    const program = { ...MISSING, find: () => '/usr/bin/lighthouse' };
    const programs = new Map<object, string | undefined>([[program, undefined]]);
    installMissing(programs, { isAllowed: true, install });
    expect(programs.get(program)).toBe('/usr/bin/lighthouse');
  });

  it('installs and announces nothing if installing is not allowed', () => {
    installMissing(found(), { isAllowed: false, install });
    expect(steps).toEqual([]);
  });

  it('installs nothing if every packaged program is present', () => {
    const programs = new Map<object, string | undefined>([
      [INSTALLED, '/bin/sh'],
      [UNPACKAGED, undefined],
    ]);
    installMissing(programs, { isAllowed: true, install });
    expect(steps).toEqual([]);
  });
});

describe('scripts/test.mjs', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-programs-'));
    writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\n: > '${folder}/called'\n`, { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([['npm test'], ['npm run test:full', '--full']])(
    'does not call apt-get as root when %s has --no-install',
    (_command, ...options) => {
      const asRoot = 'data:text/javascript,process.getuid=()=>0';
      // A missing program ends the run before the first test.
      const args = ['--import', asRoot, 'scripts/test.mjs', '--no-install', '--require-all'];
      const { status, stdout } = spawnSync(process.execPath, [...args, ...options], {
        cwd: new URL('../..', import.meta.url),
        env: { PATH: folder },
        encoding: 'utf8',
      });
      expect(stdout).toContain('Failed: a required program is missing\n0 passed, 1 failed');
      expect(status).toBe(1);
      expect(existsSync(join(folder, 'called'))).toBe(false);
    },
  );
});
