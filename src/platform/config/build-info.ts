import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const THIS_FILE = fileURLToPath(import.meta.url);

/** This folder contains package.json, `web/dist` and `desk/dist`. */
export const PROJECT_ROOT = folderWithPackageJson(dirname(THIS_FILE));

/** This folder is `dist` in a build, also for code in `dist/bundle`, or `src` if tests run the sources. */
export const CODE_ROOT = join(PROJECT_ROOT, relative(PROJECT_ROOT, THIS_FILE).split(sep)[0]!);

function folderWithPackageJson(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  if (dirname(folder) === folder) throw new Error(`no package.json above ${THIS_FILE}`);
  return folderWithPackageJson(dirname(folder));
}

interface BuildInfo {
  version: string;
  /** This is missing if the build had no repository and was given no commit. */
  commit?: string;
}

/** Contains the version from package.json and the commit that `scripts/build-info.mjs` stores with the build. */
export const buildInfo: BuildInfo = {
  version: readJsonField(join(PROJECT_ROOT, 'package.json'), 'version') ?? 'unknown',
  commit: readJsonField(join(CODE_ROOT, 'build-info.json'), 'commit'),
};

/** Returns text such as `1.0.0 (abc1234)`. */
export function describeBuild({ version, commit }: BuildInfo): string {
  return commit === undefined ? version : `${version} (${commit})`;
}

/** Returns undefined if the file is missing or broken, because the service can start without this field. */
export function readJsonField(file: string, field: string): string | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))[field];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
