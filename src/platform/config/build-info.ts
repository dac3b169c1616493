import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODE_ROOT, PROJECT_ROOT } from './project-root.js';

export interface BuildInfo {
  version: string;
  /** Undefined if the build had no repository and got no commit. */
  commit?: string;
}

/** The version of package.json, and the commit that `scripts/build-info.mjs` left beside the built service. */
export const buildInfo: BuildInfo = {
  version: readJsonField(join(PROJECT_ROOT, 'package.json'), 'version') ?? 'unknown',
  commit: readJsonField(join(CODE_ROOT, 'build-info.json'), 'commit'),
};

/** `1.0.0 (abc1234)` */
export function describeBuild({ version, commit }: BuildInfo): string {
  return commit === undefined ? version : `${version} (${commit})`;
}

/** Undefined if the file is missing or broken, which is no reason not to start. */
export function readJsonField(file: string, field: string): string | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))[field];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
