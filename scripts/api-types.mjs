// Writes the front end's API types from the service's own description, so that a change of the contract breaks its build.
// With --check it writes nothing and fails when they are out of date. Needs the built service.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTypes, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { parseEnvironment } from '../dist/config/parse-environment.js';
import { createApp } from '../dist/create-app.js';
import { describe } from '../dist/openapi/openapi.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'web/src/api/schema.ts');

const types = await prettyTypes(await readDescription());
if (!process.argv.includes('--check')) {
  writeFileSync(target, types);
} else if (readFileSync(target, 'utf8') !== types) {
  console.error(`${relative(root, target)} is out of date: run npm run api-types`);
  process.exitCode = 1;
}

async function readDescription() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-api-types-'));
  const app = await createApp(
    parseEnvironment({
      DATA_DIR: folder,
      SETTINGS_FILE: join(root, 'config/settings.yaml'),
      AGREEMENT_FILE: join(root, 'config/agreement.html'),
      LOG_LEVEL: 'silent',
    }),
  );
  try {
    return describe(app);
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function prettyTypes(description) {
  // A copy: the generator writes into what it is given. Sorted: the order of the modules is no part of the contract.
  const nodes = await openapiTypes(structuredClone(description), {
    alphabetize: true,
    silent: true,
  });
  const banner = '// Generated from the OpenAPI description of the service: npm run api-types\n\n';
  return format(banner + astToString(nodes), {
    ...(await resolveConfig(target)),
    filepath: target,
  });
}
