// Checks format, lint, types, generated files and wording, with one check per core and the longest
// checks first. Prettier and the compilers cache their results in node_modules/.cache.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const checks = [
  'prettier --check --cache --cache-strategy content --log-level warn .',
  'tsc -p tsconfig.json --incremental --tsBuildInfoFile node_modules/.cache/tsconfig.tsbuildinfo',
  'npm run check -w web --silent',
  'npm run check -w desk --silent',
  'node scripts/generate.mjs --check',
  'node scripts/check-words.mjs',
  'oxlint --type-aware',
];
const failed = [];

await pLimit(availableParallelism()).map(checks, async (check) => {
  const { status, output } = await run(check);
  if (output) process.stdout.write(output);
  if (status !== 0) failed.push(check);
});
if (failed.length > 0) {
  console.error(`failed: ${failed.join(' · ')}`);
  process.exitCode = 1;
}

/** Buffers the output, so that concurrent checks do not mix their output. */
function run(command) {
  return new Promise((resolve) => {
    const child = spawn(command, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('close', (status) => resolve({ status, output }));
  });
}
