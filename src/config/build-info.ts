import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface BuildInfo {
  version: string;
  /** Undefined where the build had no repository and was not told. */
  commit?: string;
}

/** The version of package.json, and the commit that `scripts/build-info.mjs` left beside the built service. */
export const buildInfo: BuildInfo = {
  version: textIn(new URL('../../package.json', import.meta.url), 'version') ?? 'unknown',
  commit: textIn(new URL('../build-info.json', import.meta.url), 'commit'),
};

/** `1.0.0 (abc1234)` */
export function describeBuild({ version, commit }: BuildInfo): string {
  return commit === undefined ? version : `${version} (${commit})`;
}

/** Undefined where the file is missing or broken: no reason not to start. */
export function textIn(file: URL, field: string): string | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(fileURLToPath(file), 'utf8'))[field];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
