import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
// @ts-expect-error The scripts have no types.
import { cleanCommit, recordRun, releaseProblems } from '../../scripts/release/checks.mjs';

const GREEN = { passed: 3, failed: 0, missing: [] as string[] };
const CHANGELOG = '# Changelog\n\n## [1.1.0] - 2027-01-01\n\n## [1.0.0] - 2026-11-18\n';
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-release-'));
  git('init', '--quiet');
  write('.gitignore', '.cache/\n');
  write('releases/1.0.0/release.json', '{}\n');
  commit();
});
afterEach(() => rmSync(root, { recursive: true }));

function git(...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
    cwd: root,
  });
}

function commit(): void {
  git('add', '.');
  git('commit', '--quiet', '--allow-empty', '-m', 'x');
}

function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

function runBothSuites(result: object = GREEN): void {
  for (const suite of ['test', 'full']) recordRun(suite, root)(result);
}

const problems = (options: object = {}): string[] =>
  releaseProblems({ version: '1.1.0', changelog: CHANGELOG, root, ...options });

describe('A release', () => {
  it('is allowed for a clean commit with green tests, a new version and its section in the changelog', () => {
    runBothSuites();
    expect(problems()).toEqual([]);
    expect(cleanCommit(root)).toMatch(/^[0-9a-f]{40}$/);
  });

  it.each([
    ['a changed file', () => write('.gitignore', '.cache/\n*.log\n')],
    ['an untracked file', () => write('notes.txt', 'x')],
  ])('is refused with %s', (_, change) => {
    runBothSuites();
    change();
    expect(problems()).toEqual([expect.stringMatching(/^the tree differs from its commit/)]);
    expect(problems({ unchecked: true })).toHaveLength(1);
  });

  it('is refused if either suite was not green for exactly this commit', () => {
    recordRun('test', root)(GREEN);
    expect(problems()).toEqual([expect.stringMatching(/^npm run test:full was not green for /)]);
    recordRun('full', root)(GREEN);
    expect(problems()).toEqual([]);
    commit();
    expect(problems()).toEqual([
      expect.stringMatching(/^npm test was not green for /),
      expect.stringMatching(/^npm run test:full was not green for /),
    ]);
    expect(problems({ unchecked: true })).toEqual([]);
  });

  it('is refused after a red run of the same commit', () => {
    runBothSuites();
    recordRun('test', root)({ ...GREEN, failed: 1 });
    expect(problems()).toEqual([expect.stringMatching(/^npm test was not green for /)]);
  });

  it.each([
    [
      'was not clean before the tests',
      () => write('notes.txt', 'x'),
      () => rmSync(join(root, 'notes.txt')),
    ],
    ['was not clean after the tests', () => undefined, () => write('notes.txt', 'x')],
    ['got another commit during the tests', () => undefined, commit],
  ])('is refused if the tree %s', (_, before, during) => {
    before();
    const ends = ['test', 'full'].map((suite) => recordRun(suite, root));
    during();
    for (const end of ends) end(GREEN);
    rmSync(join(root, 'notes.txt'), { force: true });
    expect(problems()).toHaveLength(2);
  });

  it('is refused if a required program such as mariadbd was missing when the tests ran', () => {
    runBothSuites({ ...GREEN, missing: ['mariadbd'] });
    expect(problems()).toEqual([
      'npm test ran without mariadbd',
      'npm run test:full ran without mariadbd',
    ]);
  });

  it('is refused if its record exists, unless the record is to be replaced', () => {
    runBothSuites();
    expect(problems({ version: '1.0.0' })).toEqual(['releases/1.0.0/ exists']);
    expect(problems({ version: '1.0.0', replace: true })).toEqual([]);
  });

  it('is refused if a later version is released', () => {
    write('releases/1.10.0/release.json', '{}\n');
    commit();
    runBothSuites();
    expect(problems()).toEqual(['1.10.0 is released, and package.json says 1.1.0']);
  });

  it('is refused without a section in the changelog', () => {
    runBothSuites();
    expect(problems({ changelog: CHANGELOG.replace('1.1.0', 'Unreleased') })).toEqual([
      'CHANGELOG.md has no section 1.1.0',
    ]);
  });

  it('is refused outside a repository', () => {
    rmSync(join(root, '.git'), { recursive: true });
    runBothSuites();
    expect(problems()).toEqual([expect.stringMatching(/^the tree differs from its commit/)]);
  });
});
