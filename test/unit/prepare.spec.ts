import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** Records its arguments. `build:web` ends only after `build:service`, which runs in parallel, has ended. */
const NPM = `#!/bin/sh
[ "$1" = ci ] && step=ci || step=$2
echo "$$ $step" >> "$BEGUN"
mkdir -p node_modules dist web/dist desk/dist
[ "$step" = "$FAILS" ] && exit 3
[ "$step" = build:web ] || exit 0
while [ -e "$BEGUN" ] && ! first=$(grep build:service "$BEGUN"); do sleep 0.05; done
while [ -e "$BEGUN" ] && kill -0 "\${first%% *}" 2> /dev/null; do sleep 0.05; done
`;
// Two steps run in parallel, regardless of the number of cores.
const TWO_AT_A_TIME = `import os from 'node:os'; os.availableParallelism = () => 2;`;

let folder: string;
let root: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-prepare-'));
  root = join(folder, 'root');
  cpSync(new URL('../../scripts', import.meta.url), join(root, 'scripts'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/npm'), NPM, { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true }));

function prepare(fails = '') {
  const begun = join(folder, 'begun');
  writeFileSync(begun, '');
  const preload = `data:text/javascript,${encodeURIComponent(TWO_AT_A_TIME)}`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', preload, 'scripts/prepare.mjs'],
    {
      cwd: root,
      encoding: 'utf8',
      timeout: 50_000,
      env: {
        ...process.env,
        PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
        BEGUN: begun,
        FAILS: fails,
      },
    },
  );
  const lines = readFileSync(begun, 'utf8').split('\n').filter(Boolean);
  return {
    status,
    stdout,
    stderr,
    begun: lines.map((line) => line.replace(/^\d+ /, '')).toSorted(),
  };
}

const isNamed = () => existsSync(join(root, 'dist/build-info.json'));

describe('scripts/prepare.mjs', () => {
  it('stops at a failed step, later repeats only missing steps, and then does nothing', () => {
    const failedInstall = prepare('ci');
    expect(failedInstall).toMatchObject({ status: 1, begun: ['ci'] });
    expect(failedInstall.stderr).toMatch(/^npm ci .* failed\.\n$/);

    expect(prepare('build:service')).toMatchObject({
      status: 1,
      stderr: 'npm run build:service --silent failed.\n',
      begun: ['build:service', 'build:web', 'ci'],
    });
    expect(isNamed()).toBe(false);

    // The build of `web`, which ran in parallel with the failed build, has finished.
    expect(prepare()).toMatchObject({
      status: 0,
      stderr: '',
      begun: ['build:desk', 'build:service'],
    });
    expect(isNamed()).toBe(true);
    expect(prepare()).toEqual({ status: 0, stdout: '', stderr: '', begun: [] });
  });
});
