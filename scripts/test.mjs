// Implements `npm test` and, with --full, `npm run test:full`. Runs the Vitest projects whose programs are installed, and
// names the other projects. The last line of output is always "N passed, N failed".
//   --no-install    never installs Debian packages, which the script otherwise does as root
//   --require-all   fails if any program is missing
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';
import { recordRun } from './release/checks.mjs';
import { findPrograms, installMissing, PROJECTS } from './test-programs.mjs';

const isFull = process.argv.includes('--full');
const requiresAll = process.argv.includes('--require-all');
const mayInstall = !process.argv.includes('--no-install');
const counts = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

const projects = isFull ? PROJECTS.full : PROJECTS.test;
const found = findPrograms(projects);
installMissing(found, { isAllowed: mayInstall });
const missing = [...found.keys()].filter((program) => !found.get(program));
for (const [{ variable }, path] of found) if (variable && path) process.env[variable] = path;
reportMissing();

if (missing.some(isRequired)) fail('a required program is missing');
else await runAndRecord();

reportMissing();
// Repeats the failures at the end, where readers of a long log look first.
for (const failure of failures) console.log(`Failed: ${failure}`);
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exit(counts.failed > 0 ? 1 : 0);

function reportMissing() {
  for (const program of missing) {
    const without = projects.filter(({ needs }) => needs.includes(program));
    const tests = without.map((project) => project.tests).join(', ');
    const debian = program.packages && `apt-get install ${program.packages} (Debian)`;
    const remedy = [debian, program.remedy].filter(Boolean).join(', or ');
    console.log(`Not tested: ${tests}. Not found: ${program.name}. To test it: ${remedy}.`);
  }
}

/** Locally, programs may be missing. CI requires the programs that Debian provides. */
function isRequired({ packages }) {
  return requiresAll || (process.env.CI === 'true' && packages !== undefined);
}

/** `npm run release` checks the record of this run. */
async function runAndRecord() {
  const endRecord = recordRun(isFull ? 'full' : 'test');
  if (isFull || checksPass()) await runVitest();
  else fail('static checks');
  endRecord({ ...counts, missing: missing.map(({ name }) => name) });
}

function checksPass() {
  const script = fileURLToPath(new URL('check-static.mjs', import.meta.url));
  return spawnSync(process.execPath, [script], { stdio: 'inherit' }).status === 0;
}

async function runVitest() {
  const runnable = projects.filter(
    ({ needs }) => !needs.some((program) => missing.includes(program)),
  );
  const vitest = await startVitest('test', [], {
    run: true,
    project: runnable.map(({ project }) => project),
  });
  for (const module of vitest.state.getTestModules()) count(module);
  for (const error of vitest.state.getUnhandledErrors()) fail(`unhandled error: ${error.message}`);
  await vitest.close();
  // A run that ends before its first test counts as failed.
  if (counts.failed === 0 && (process.exitCode || counts.passed === 0))
    fail('Vitest ended without a result');
}

function count(module) {
  // Files that cannot be loaded and failing hooks have errors that belong to no test.
  for (const entity of [module, ...module.children.allSuites()])
    if (entity.errors().length > 0)
      fail(`${module.relativeModuleId}: ${entity.errors()[0].message}`);
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state === 'passed' || state === 'skipped') counts[state]++;
    else fail(`${module.relativeModuleId}: ${test.fullName}`);
  }
}

function fail(reason) {
  counts.failed++;
  failures.push(reason);
}
