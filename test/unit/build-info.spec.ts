import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-build-'));
  const script = new URL('../../scripts/build-info.mjs', import.meta.url);
  cpSync(script, join(folder, 'scripts/build-info.mjs'));
  vi.stubEnv('GATEHOUSE_COMMIT', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function writtenCommit(): Promise<string | undefined> {
  await import(`${pathToFileURL(join(folder, 'scripts/build-info.mjs')).href}?run=${randomUUID()}`);
  return JSON.parse(readFileSync(join(folder, 'dist/build-info.json'), 'utf8')).commit;
}

function git(...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
    cwd: folder,
  });
}

describe('scripts/build-info.mjs', () => {
  it('writes no commit if there is no repository', async () => {
    expect(await writtenCommit()).toBeUndefined();
  });

  it('writes no commit if git is not installed', async () => {
    mkdirSync(join(folder, '.git'));
    vi.stubEnv('PATH', '');
    expect(await writtenCommit()).toBeUndefined();
  });

  it('writes the commit in GATEHOUSE_COMMIT, unless it is malformed', async () => {
    vi.stubEnv('GATEHOUSE_COMMIT', 'abcdef0123456789');
    expect(await writtenCommit()).toBe('abcdef0');
    vi.stubEnv('GATEHOUSE_COMMIT', '"}; nonsense');
    expect(await writtenCommit()).toBeUndefined();
  });

  it("writes the repository's commit, and whether files differ from it", async () => {
    git('init', '--quiet');
    git('add', 'scripts');
    git('commit', '--quiet', '-m', 'x');
    expect(await writtenCommit()).toMatch(/^[0-9a-f]{7}$/);
    writeFileSync(join(folder, 'scripts/build-info.mjs'), '\n', { flag: 'a' });
    expect(await writtenCommit()).toMatch(/^[0-9a-f]{7}-dirty$/);
  });
});
