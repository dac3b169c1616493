import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  link?: boolean;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
}

/** Counts installations, and is installed with `--ignore-scripts`. */
const NEEDLESS_SCRIPTS = ['node_modules/@scarf/scarf'];

describe.each(['package-lock.json', 'web/package-lock.json', 'desk/package-lock.json'])(
  '%s',
  (file) => {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };
    const installed = Object.entries(packages).filter(([name, { link }]) => name !== '' && !link);

    it('says of every package what its bytes must be', () => {
      expect(installed.length).toBeGreaterThan(50);
      const unchecked = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
      expect(unchecked.map(([name]) => name)).toEqual([]);
    });

    it('has no package that needs its install script', () => {
      const scripted = installed.filter(
        ([, { hasInstallScript, optional }]) => hasInstallScript && !optional,
      );
      expect(
        scripted.map(([name]) => name).filter((name) => !NEEDLESS_SCRIPTS.includes(name)),
      ).toEqual([]);
    });

    it('names no address to fetch them from', () => {
      expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    });
  },
);

it('keeps what serves the sandbox alone out of production', () => {
  const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };
  for (const name of ['smtp-server', 'postal-mime'])
    expect(packages[`node_modules/${name}`]?.dev, name).toBe(true);
});

it('runs no install scripts, neither for a fresh clone nor for the image', () => {
  for (const file of ['Dockerfile', 'scripts/prepare.mjs']) {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    const installs = text
      .split('\n')
      .filter((line) => /\bci\b/.test(line) && !/^ *(#|\/\/)/.test(line));
    expect(installs.length, file).toBeGreaterThan(0);
    for (const line of installs) expect(line, file).toContain('--ignore-scripts');
  }
});
