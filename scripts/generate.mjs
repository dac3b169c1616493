// Generates the files that repeat information from the code. With --check, writes nothing and fails
// if a file is out of date. Needs the built service.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, getFileInfo, resolveConfig } from 'prettier';
import { apiTypes } from './generate/api-types.mjs';
import { withApp } from './generate/app.mjs';
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

async function formatted(path, text) {
  const { inferredParser } = await getFileInfo(path, { ignorePath: '.prettierignore' });
  if (inferredParser === null) return text;
  return format(text, { ...(await resolveConfig(path)), filepath: path });
}
