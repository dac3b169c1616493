// Generates the files that repeat information from the code. With --check, writes nothing and fails
// if a file is out of date. Needs the built service.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, getFileInfo, resolveConfig } from 'prettier';
import { parseEnvironment } from '../dist/platform/config/parse-environment.js';
import { createApp } from '../dist/create-app.js';
import { apiTypes } from './generate/api-types.mjs';
import { envExample, settingsFile } from './generate/config-files.mjs';
import { referencePage } from './generate/reference.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const files = await withApp(async (app) => ({
  '.env.example': envExample(),
  'config/settings.yaml': settingsFile(),
  'docs/reference.md': await referencePage(app),
  'web/src/api/schema.ts': await apiTypes(app),
}));
for (const [path, text] of Object.entries(files)) {
  const wanted = await formatted(path, text);
  if (!process.argv.includes('--check')) {
    writeFileSync(path, wanted);
  } else if (readFileSync(path, 'utf8') !== wanted) {
    console.error(`${path} is out of date: run npm run generate`);
    process.exitCode = 1;
  }
}

async function withApp(use) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-generate-'));
  const app = await createApp(
    parseEnvironment({
      DATA_DIR: folder,
      // No Redis runs there. The variable only makes the service register the Redis metrics.
      REDIS_URL: 'redis://127.0.0.1:1',
      LOG_LEVEL: 'silent',
    }),
  );
  try {
    return await use(app);
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function formatted(path, text) {
  const { inferredParser } = await getFileInfo(path, { ignorePath: '.prettierignore' });
  if (inferredParser === null) return text;
  return format(text, { ...(await resolveConfig(path)), filepath: path });
}
