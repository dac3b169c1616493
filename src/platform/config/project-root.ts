import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const THIS_FILE = fileURLToPath(import.meta.url);

/** The folder with package.json: `web/dist` and `desk/dist` are in it. */
export const PROJECT_ROOT = folderWithPackageJson(dirname(THIS_FILE));

/** `dist` once built, also for the files in `dist/bundle`; `src` where tests run the sources. */
export const CODE_ROOT = join(PROJECT_ROOT, relative(PROJECT_ROOT, THIS_FILE).split(sep)[0]!);

function folderWithPackageJson(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  if (dirname(folder) === folder) throw new Error(`no package.json above ${THIS_FILE}`);
  return folderWithPackageJson(dirname(folder));
}
