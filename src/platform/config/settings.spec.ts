import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import type { Environment } from './environment.js';
import { Settings } from './settings.js';

let folder: string;
let file: string;
let logError: MockInstance;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-settings-'));
  file = join(folder, 'settings.yaml');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  logError = vi.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  vi.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function start(text: string) {
  writeFileSync(file, text);
  const settings = new Settings({ SETTINGS_FILE: file } as Environment);
  const reload = vi.spyOn(settings as unknown as { reload(): Promise<void> }, 'reload');
  const poll = async () => {
    vi.advanceTimersByTime(500);
    await reload.mock.results.at(-1)!.value;
  };
  return { settings, poll };
}

describe('Settings', () => {
  it('applies a changed file after two identical reads in a row', async () => {
    const { settings, poll } = start('deny_ip: [192.0.2.1]');
    for (let lines = 1; lines <= 3; lines++) {
      writeFileSync(file, '# one more line\n'.repeat(lines));
      await poll();
      expect(settings.current.deny_ip).toEqual(['192.0.2.1']);
    }
    writeFileSync(file, 'deny_ip: [192.0.2.2]');
    await poll();
    expect(settings.current.deny_ip).toEqual(['192.0.2.1']);
    await poll();
    expect(settings.current.deny_ip).toEqual(['192.0.2.2']);
    expect(settings.problems).toEqual([]);
  });

  it('warns about an address that was removed', async () => {
    const warn = vi.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const { poll } = start('deny_ip: [192.0.2.1, 198.51.100.0/24]');
    writeFileSync(file, 'deny_ip: [192.0.2.1]');
    await poll();
    await poll();
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining('deny_ip no longer has 198.51.100.0/24: these addresses'),
    );
  });

  it('keeps the last good settings and reports the problem when a changed file is invalid', async () => {
    const { settings, poll } = start('deny_ip: [192.0.2.2]');
    writeFileSync(file, '');
    await poll();
    await poll();
    expect(logError).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('sets nothing'));
    expect(settings.problems).toHaveLength(1);
    expect(settings.current.deny_ip).toEqual(['192.0.2.2']);
  });

  it('runs only one read while a mount hangs, and continues once it recovers', async () => {
    const { settings, poll } = start('deny_ip: [192.0.2.2]');
    rmSync(file);
    // Opening a pipe for reading blocks until another process opens it for writing.
    execFileSync('mkfifo', [file]);
    for (let round = 0; round < 10; round++) vi.advanceTimersByTime(500);
    // This call needs one of libuv's four threads.
    await stat(folder);
    const writer = openSync(file, 'r+');
    rmSync(file);
    writeFileSync(file, 'deny_ip: [192.0.2.3]');
    closeSync(writer);
    for (let round = 0; round < 3; round++) await poll();
    expect(settings.current.deny_ip).toEqual(['192.0.2.3']);
  });

  it('rejects an invalid file at startup unless defaults are allowed', () => {
    writeFileSync(file, 'deny_ipp: []');
    const environment = { SETTINGS_FILE: file } as Environment;
    expect(() => new Settings(environment)).toThrow('deny_ipp');
    const settings = new Settings(Object.assign(environment, { startsWithRefusedSettings: true }));
    expect(settings.current.deny_ip).toEqual([]);
    expect(settings.problems).toEqual(['deny_ipp is not a known setting']);
  });
});
