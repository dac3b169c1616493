// Records successful test runs in .cache/, and checks whether a commit may be released.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareVersions, releasedVersions } from './releases.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SUITES = { test: 'npm test', full: 'npm run test:full' };

/** Returns the current commit, or undefined if the tree has changes or untracked files. */
export function cleanCommit(root = ROOT) {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const changes = git('status', '--porcelain');
  if (changes.status !== 0 || changes.stdout !== '') return undefined;
  return git('rev-parse', 'HEAD').stdout.trim();
}

/**
 * Begins to record a test run, and returns a function that ends the record. A run counts only if all
 * tests passed, and if the tree was the same clean commit before and after the run.
 */
export function recordRun(suite, root = ROOT) {
  const file = recordOf(suite, root);
  const before = cleanCommit(root);
  return ({ passed, failed, missing }) => {
    rmSync(file, { force: true });
    if (failed > 0 || before === undefined || cleanCommit(root) !== before) return;
    mkdirSync(join(root, '.cache'), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ commit: before, passed, missing })}\n`);
  };
}

const recordOf = (suite, root) => join(root, '.cache', `green-${suite}.json`);

/** Returns every reason against releasing this commit, each as a sentence. */
export function releaseProblems({ version, changelog, unchecked, replace, root = ROOT }) {
  const commit = cleanCommit(root);
  const released = releasedVersions(join(root, 'releases'));
  const others = released.filter((one) => one !== version);
  const newer = others.filter((one) => compareVersions(one, version) > 0);
  return [
    ...(commit ? [] : ['the tree differs from its commit: commit or remove the changes']),
    ...(released.includes(version) && !replace ? [`releases/${version}/ exists`] : []),
    ...newer.map((one) => `${one} is released, and package.json says ${version}`),
    ...(changelog.includes(`\n## [${version}]`) ? [] : [`CHANGELOG.md has no section ${version}`]),
    ...(unchecked || !commit
      ? []
      : Object.keys(SUITES).flatMap((suite) => runProblems(suite, commit, root))),
  ];
}

function runProblems(suite, commit, root) {
  const file = recordOf(suite, root);
  const run = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  if (run.commit !== commit) return [`${SUITES[suite]} was not green for ${commit}`];
  return run.missing.map((program) => `${SUITES[suite]} ran without ${program}`);
}
