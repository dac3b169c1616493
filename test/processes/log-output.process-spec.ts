import { describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { startGatehouse } from '../support/servers/gatehouse-process.js';
import { writeSettingsFile } from '../support/servers/settings-file.js';
import { NO_STOP_LIMITS } from '../support/stop-simulation.js';

const env = { SETTINGS_FILE: writeSettingsFile(), NODE_OPTIONS: NO_STOP_LIMITS };

/** Sends many requests, each of which logs a line of about 500 bytes. */
async function requestOften(client: Client): Promise<void> {
  const headers = { 'X-Request-Id': 'x'.repeat(64) };
  const path = `/api/${'x'.repeat(195)}`;
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => client.get(path, { headers })),
  );
  expect(answers.every(({ status }) => status === 404)).toBe(true);
}

describe('An unread log', () => {
  it('is dropped and counted, and delays neither requests nor shutdown', async () => {
    const service = await startGatehouse(env, { unread: true });
    const client = new Client(service.url);
    const dropped = async () => {
      const metrics = (await client.get('/api/metrics')).text;
      return Number(/^gatehouse_log_lines_dropped (\d+)$/m.exec(metrics)?.[1]);
    };
    // The pipe and the 1 MiB buffer hold about 2300 lines.
    for (let round = 0; round < 60 && (await dropped()) === 0; round++) await requestOften(client);
    await requestOften(client);
    expect(await dropped()).toBeGreaterThanOrEqual(100);
    expect(await service.stop()).toBe(0);
  });
});
