import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-build-'));
  const script = new URL('../../scripts/build-info.mjs', import.meta.url);
  cpSync(script, join(folder, 'scripts/build-info.mjs'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function commitWritten(environment: NodeJS.ProcessEnv = {}): string | undefined {
  run(process.execPath, ['scripts/build-info.mjs'], environment);
  return JSON.parse(readFileSync(join(folder, 'dist/build-info.json'), 'utf8')).commit;
}

function run(program: string, args: string[], environment: NodeJS.ProcessEnv = {}): void {
  const { GATEHOUSE_COMMIT: _, ...own } = process.env;
  const { status, stderr } = spawnSync(program, args, {
    cwd: folder,
    env: { ...own, ...environment },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
}

function git(...args: string[]): void {
  run('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args]);
}

describe('scripts/build-info.mjs', () => {
  it('writes no commit where there is no repository, or no git', () => {
    expect(commitWritten()).toBeUndefined();
    writeFileSync(join(folder, '.git'), 'gitdir: elsewhere');
    expect(commitWritten()).toBeUndefined();
    expect(commitWritten({ PATH: '' })).toBeUndefined();
  });

  it('writes the commit it is told, if it is one', () => {
    expect(commitWritten({ GATEHOUSE_COMMIT: 'abcdef0123456789' })).toBe('abcdef0');
    expect(commitWritten({ GATEHOUSE_COMMIT: '"}; nonsense' })).toBeUndefined();
  });

  it('writes the commit of the repository, and whether files differ from it', () => {
    git('init', '--quiet');
    git('add', 'scripts');
    git('commit', '--quiet', '-m', 'x');
    expect(commitWritten()).toMatch(/^[0-9a-f]{7}$/);
    writeFileSync(join(folder, 'scripts/build-info.mjs'), '\n', { flag: 'a' });
    expect(commitWritten()).toMatch(/^[0-9a-f]{7}-dirty$/);
  });
});
