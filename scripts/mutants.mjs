// Breaks the lines listed in test/mutants.json one at a time in a scratch copy, and prints
// which test finds each mutant.
//   node scripts/mutants.mjs                        runs all mutants
//   node scripts/mutants.mjs withdraw 'daily limit' runs mutants whose name, file, project or tests contain a word
//   node scripts/mutants.mjs --check                only checks that each text to replace occurs exactly once
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// The copy links to these builds, which mutants do not change, so only tests that need no build can
// find a mutant.
const LINKED = ['node_modules', 'dist', 'web/dist', 'desk/dist'];
const RUN_TIMEOUT_MS = 10 * 60_000;

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const mutants = JSON.parse(readFileSync(join(root, 'test/mutants.json'), 'utf8')).filter(
  ({ name, file, project, tests }) =>
    words.length === 0 ||
    words.some((word) => `${name} ${file} ${project} ${tests}`.includes(word)),
);

for (const mutant of mutants) mutate(root, mutant);
if (process.argv.includes('--check')) process.exit();

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-mutants-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
copyTo(scratch);

const results = [];
for (const mutant of mutants) {
  const started = performance.now();
  const path = join(scratch, mutant.file);
  const original = readFileSync(path);
  writeFileSync(path, mutate(scratch, mutant));
  const found = firstFailure(mutant);
  writeFileSync(path, original);
  const seconds = Math.round((performance.now() - started) / 1000);
  results.push({ ...mutant, found });
  console.log(`${found ? 'found    ' : 'NOT FOUND'} ${mutant.name} (${seconds} s)`);
  if (found) console.log(`          ${found}`);
}

console.log('\n| broken line | file | found by |\n| --- | --- | --- |');
for (const { name, file, project, found } of results)
  console.log(`| ${name} | \`${file}\` | ${found ? `${project}: ${found}` : '**nothing**'} |`);
const missed = results.filter(({ found }) => !found);
console.log(`\n${results.length - missed.length} of ${results.length} found`);
process.exitCode = missed.length > 0 ? 1 : 0;

/** Returns the text of the file with the line broken. */
function mutate(folder, { name, file, replace, by }) {
  const parts = readFileSync(join(folder, file), 'utf8').split(replace);
  if (parts.length !== 2)
    throw new Error(`${name}: ${file} contains the text ${parts.length - 1} times: ${replace}`);
  return parts.join(by);
}

function copyTo(folder) {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of stdout.split('\0').filter(Boolean))
    cpSync(join(root, file), join(folder, file), { recursive: true, force: true });
  for (const linked of LINKED) symlinkSync(join(root, linked), join(folder, linked));
}

/** Returns the title and file of the first failing test, or undefined if all tests pass. */
function firstFailure({ name, project, tests }) {
  const report = join(scratch, 'mutant-report.json');
  rmSync(report, { force: true });
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', project, '--bail=1']
      .concat('--reporter=json', `--outputFile=${report}`)
      .concat(tests),
    { cwd: scratch, encoding: 'utf8', timeout: RUN_TIMEOUT_MS },
  );
  let files;
  try {
    files = JSON.parse(readFileSync(report, 'utf8')).testResults;
  } catch {
    throw new Error(`${name}: the tests did not run\n${stdout}${stderr}`);
  }
  if (files.length === 0) throw new Error(`${name}: no test file matches ${tests} in ${project}`);
  for (const { name: path, assertionResults, status, message } of files) {
    const failed = assertionResults.find((test) => test.status === 'failed');
    const file = path.slice(scratch.length + 1);
    if (failed) return `${file}: ${failed.fullName}`;
    if (status === 'failed' && assertionResults.length === 0) return `${file}: ${message}`;
  }
  return undefined;
}
