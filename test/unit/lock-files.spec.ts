import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  /** The name is set only if it differs from the folder's name. */
  name?: string;
  link?: boolean;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
}

/** The package's script only counts installations, and npm runs with `--ignore-scripts`. */
const NEEDLESS_SCRIPTS = ['node_modules/@scarf/scarf'];
const PLATFORMS = ['linux-x64-gnu', 'linux-arm64-gnu', 'darwin-x64', 'darwin-arm64'];

function read(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}

describe('package-lock.json', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, LockedPackage>;
  };
  const fetched = Object.entries(packages).filter(
    ([name, { link }]) => name.includes('node_modules/') && !link,
  );

  it('has an integrity hash for every package', () => {
    expect(fetched.length).toBeGreaterThan(50);
    const unchecked = fetched.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    expect(unchecked.map(([name]) => name)).toEqual([]);
  });

  it("installs no package under another package's name", () => {
    expect(fetched.filter(([, { name }]) => name !== undefined)).toEqual([]);
  });

  it('has no package that needs an install script', () => {
    const scripted = fetched.filter(
      ([, { hasInstallScript, optional }]) => hasInstallScript && !optional,
    );
    expect(
      scripted.map(([name]) => name).filter((name) => !NEEDLESS_SCRIPTS.includes(name)),
    ).toEqual([]);
  });

  it('names no registry', () => {
    expect(fetched.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  it.each([
    '@css-inline/css-inline-',
    '@libsql/',
    '@oxlint/binding-',
    '@rolldown/binding-',
    'lightningcss-',
  ])('has the binaries of %s for every platform', (prefix) => {
    for (const platform of PLATFORMS)
      expect(packages).toHaveProperty([`node_modules/${prefix}${platform}`]);
  });

  it('lists as dependencies what the image contains, so that its SBOM is complete', () => {
    for (const name of ['smtp-server', 'postal-mime', 'vue', 'vue-router', 'uqr'])
      expect(packages[`node_modules/${name}`], name).not.toHaveProperty('dev');
  });
});

it('Neither a fresh clone nor the image runs install scripts', () => {
  for (const file of ['Dockerfile', 'scripts/prepare.mjs']) {
    const installs = read(file)
      .split('\n')
      .filter((line) => /\bci\b/.test(line) && !/^ *(#|\/\/)/.test(line));
    expect(installs.length, file).toBeGreaterThan(0);
    for (const line of installs) expect(line, file).toContain('--ignore-scripts');
  }
});
