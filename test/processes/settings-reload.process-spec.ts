import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { type Gatehouse, startGatehouse } from '../support/servers/gatehouse-process.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';

describe("A running instance's settings file", () => {
  let folder: string;
  let settingsFile: string;
  let instance: Gatehouse;
  let client: Client;

  beforeAll(async () => {
    folder = temporaryFolder('settings');
    settingsFile = join(folder, 'settings.yaml');
    writeFileSync(settingsFile, 'deny_ip: []');
    instance = await startGatehouse({ SETTINGS_FILE: settingsFile });
    client = new Client(instance.url);
  });
  afterAll(async () => {
    await instance.stop();
    removeFolder(folder);
  });

  const isDenied = async (from: string) =>
    (await client.get('/api/health/live', { from })).status === 403;

  it('takes effect without a restart, whether it is rewritten in place or replaced', async () => {
    writeFileSync(settingsFile, 'deny_ip: [203.0.113.5]');
    await until(() => isDenied('203.0.113.5'));
    const draft = join(folder, 'draft.yaml');
    writeFileSync(draft, 'deny_ip: [203.0.113.6]');
    renameSync(draft, settingsFile);
    await until(() => isDenied('203.0.113.6'));
    expect(await isDenied('203.0.113.5')).toBe(false);
    await instance.process.waitForLine(/deny_ip .*203\.0\.113\.5.* → .*203\.0\.113\.6/);
    await instance.process.waitForLine(/"level":"warn".*deny_ip no longer has 203\.0\.113\.5/);
  });

  it('is rejected with reasons if it is invalid, and the last valid settings stay in force', async () => {
    writeFileSync(settingsFile, 'deny_ip: [203.0.113.7]');
    await until(() => isDenied('203.0.113.7'));
    writeFileSync(settingsFile, 'deny_ip: [everyone]\nday_max_reg: lots');
    await instance.process.waitForLine(/refused.*deny_ip must be.*day_max_reg must be/);
    expect(await isDenied('203.0.113.7')).toBe(true);
    expect((await client.get('/api/health/ready')).body.data.settings).toBe('refused');
    expect((await client.get('/api/metrics')).text).toMatch(/^gatehouse_settings_refused 1$/m);
    expect(instance.logs().match(/was refused/g)).toHaveLength(1);
  });
});
