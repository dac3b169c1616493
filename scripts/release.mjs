// Implements `npm run release`. Writes the record of the version in package.json to releases/. The tests compare later
// trees with this record. The script refuses if the tree has changes, if the tests have not passed for this commit, if
// the version is not new, or if the changelog lacks the version.
//   --unchecked    does not require passed tests; only for development
//   --replace      rewrites the record of a version that is not installed anywhere yet
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { createProgram } from '../dist/create-program.js';
import { plannedStatements } from '../dist/platform/database/migrations/dialect.js';
import { MIGRATIONS } from '../dist/platform/database/migrations/list.js';
import { Metrics } from '../dist/platform/metrics/metrics.js';
import { buildDocument } from '../dist/platform/openapi/openapi.js';
import { withApp } from './generate/app.mjs';
import { cleanCommit, releaseProblems } from './release/checks.mjs';
import { RELEASES } from './release/releases.mjs';
import { schemas } from './release/schema.mjs';
import { describeSurface } from './release/surface.mjs';
import { findPrograms, PROJECTS } from './test-programs.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const umask = process.umask();
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const problems = [
  ...programProblems(),
  ...releaseProblems({
    version,
    changelog: readFileSync('CHANGELOG.md', 'utf8'),
    unchecked: process.argv.includes('--unchecked'),
    replace: process.argv.includes('--replace'),
  }),
];
if (problems.length > 0) {
  console.error(`${version} cannot be released:`);
  for (const problem of problems) console.error(`  - ${problem}`);
  process.exit(1);
}

const files = await recordOf(cleanCommit());
const folder = join(RELEASES, version);
// Embedded mode has set a umask that makes new files private.
process.umask(umask);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
console.log(`releases/${version}/ is written: commit it`);
process.exit();

/** Finds the servers whose schema is recorded. */
function programProblems() {
  const projects = [...PROJECTS.test, ...PROJECTS.full];
  const found = findPrograms(projects.filter(({ project }) => /^(mariadb|mysql)$/.test(project)));
  for (const [{ variable }, path] of found) if (variable && path) process.env[variable] = path;
  const missing = [...found.keys()].filter((program) => !found.get(program));
  return missing.map(
    ({ name, packages, remedy }) => `${name} is missing: ${remedy ?? `install ${packages}`}`,
  );
}

async function recordOf(commit) {
  const surface = await withApp((app) =>
    describeSurface({
      document: buildDocument(app),
      registry: app.get(Metrics).registry,
      program: createProgram(),
      migrations: MIGRATIONS.map((Migration) => new Migration()),
      plannedStatements,
    }),
  );
  const parts = Object.entries(surface).map(async ([name, value]) => [
    `${name}.json`,
    await format(JSON.stringify(value), { parser: 'json', printWidth: 120 }),
  ]);
  return {
    'release.json': `${JSON.stringify({ version, commit, date: new Date().toISOString().slice(0, 10) }, null, 2)}\n`,
    '.env.example': readFileSync('.env.example', 'utf8'),
    'settings.yaml': readFileSync('config/settings.yaml', 'utf8'),
    'settings-in-use.yaml': readFileSync('scripts/release/settings-in-use.yaml', 'utf8'),
    ...Object.fromEntries(await Promise.all(parts)),
    ...(await schemas()),
  };
}
