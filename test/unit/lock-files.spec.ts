import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  link?: boolean;
  resolved?: string;
  integrity?: string;
}

describe.each(['package-lock.json', 'web/package-lock.json'])('%s', (file) => {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };
  const installed = Object.entries(packages).filter(([name, { link }]) => name !== '' && !link);

  it('says of every package what its bytes must be', () => {
    expect(installed.length).toBeGreaterThan(50);
    const unchecked = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    expect(unchecked.map(([name]) => name)).toEqual([]);
  });

  it('names no address to fetch them from', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
