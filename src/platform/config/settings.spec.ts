import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Environment } from './environment.js';
import { Settings } from './settings.js';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-settings-'));
const file = join(folder, 'settings.yaml');
afterAll(() => rmSync(folder, { recursive: true }));

describe('the settings file', () => {
  it('is in force as a whole or not at all, however slowly it is written', async () => {
    writeFileSync(file, 'deny_ip: [192.0.2.1]');
    const settings = new Settings({ SETTINGS_FILE: file } as Environment);
    const seen = new Set<string>();
    const denied = () => seen.add(settings.current.deny_ip.join());
    for (let line = 1; line <= 25; line++) {
      writeFileSync(file, '# one more line\n'.repeat(line));
      await pause(50);
      denied();
    }
    writeFileSync(file, 'deny_ip: [192.0.2.2]');
    await vi.waitUntil(() => denied().has('192.0.2.2'), { timeout: 20_000, interval: 20 });
    expect([...seen]).toEqual(['192.0.2.1', '192.0.2.2']);

    const error = vi.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    writeFileSync(file, '');
    await vi.waitUntil(() => error.mock.calls.length > 0, { timeout: 20_000 });
    expect(String(error.mock.calls[0])).toContain('sets nothing');
    expect(settings.problems).toHaveLength(1);
    expect(settings.current.deny_ip).toEqual(['192.0.2.2']);
    settings.onApplicationShutdown();
    error.mockRestore();
  });

  it('that is refused stops a start, unless there are settings to fall back to', () => {
    const error = vi.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    writeFileSync(file, 'deny_ipp: []');
    const environment = { SETTINGS_FILE: file } as Environment;
    expect(() => new Settings(environment)).toThrow('deny_ipp');
    const settings = new Settings(
      Object.assign(environment, { fallbackSettings: 'deny_ip: [192.0.2.3]' }),
    );
    settings.onApplicationShutdown();
    expect(settings.current.deny_ip).toEqual(['192.0.2.3']);
    expect(settings.problems).toEqual(['deny_ipp is not a known setting']);
    error.mockRestore();
  });
});
