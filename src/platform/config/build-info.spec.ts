import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildInfo, describeBuild, readJsonField, CODE_ROOT, PROJECT_ROOT } from './build-info.js';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-build-info-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('Build information', () => {
  it('has the version from package.json', () => {
    expect(buildInfo.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('includes the commit if it is known', () => {
    expect(describeBuild({ version: '1.2.3', commit: 'abc1234' })).toBe('1.2.3 (abc1234)');
    expect(describeBuild({ version: '1.2.3' })).toBe('1.2.3');
  });

  it.each([
    ['{"commit":"abc1234"}', 'abc1234'],
    ['{}', undefined],
    ['{"commit":7}', undefined],
    ['null', undefined],
    ['{"commit":"abc', undefined],
  ])('from a file containing %s has the commit %s', (text, commit) => {
    const file = join(folder, 'build-info.json');
    writeFileSync(file, text);
    expect(readJsonField(file, 'commit')).toBe(commit);
  });

  it('is available without the file', () => {
    expect(readJsonField(join(folder, 'missing.json'), 'commit')).toBeUndefined();
  });
});

describe('The project root', () => {
  it('is the folder that contains package.json and src', () => {
    const { name } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'));
    expect(name).toBe('gatehouse');
    expect(CODE_ROOT).toBe(join(PROJECT_ROOT, 'src'));
  });
});
