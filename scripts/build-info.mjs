// Writes the commit of the build to dist/build-info.json, for `ready`, the log and the metrics. The
// commit comes from GATEHOUSE_COMMIT (Docker builds have no repository) or from git. Otherwise it
// is unknown.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'dist/build-info.json');

const text = `${JSON.stringify({ commit: commitGiven() ?? commitOfRepository() })}\n`;
if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function commitGiven() {
  return /^[0-9a-f]{7,40}$/.exec(process.env.GATEHOUSE_COMMIT ?? '')?.[0].slice(0, 7);
}

function commitOfRepository() {
  // Ignores a repository in a parent folder.
  if (!existsSync(join(root, '.git'))) return undefined;
  const options = ['--always', '--abbrev=7', '--exclude=*', '--dirty'];
  const { status, stdout } = spawnSync('git', ['describe', ...options], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() || undefined : undefined;
}
