import { describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { startGatehouse } from '../support/servers/gatehouse-process.js';
import { writeSettingsFile } from '../support/servers/settings-file.js';
import { HANGS_UNTIL_STOP_LIMIT, NO_STOP_LIMITS } from '../support/stop-simulation.js';

describe('A shutdown', () => {
  it('exits with 1 at its deadline if it hangs, and logs what it was waiting for', async () => {
    const service = await startGatehouse({ NODE_OPTIONS: HANGS_UNTIL_STOP_LIMIT });
    expect(await service.stop()).toBe(1);
    expect(service.logs()).toContain(
      'still finishing the requests in flight 18 s after the stop signal',
    );
  });

  it('is not delayed by an unread log', async () => {
    const service = await startGatehouse(
      { SETTINGS_FILE: writeSettingsFile(), NODE_OPTIONS: NO_STOP_LIMITS },
      { unread: true },
    );
    // The pipe holds about 130 lines of this length.
    const path = `/api/${'x'.repeat(195)}`;
    const client = new Client(service.url);
    await Promise.all(Array.from({ length: 200 }, () => client.get(path)));
    expect(await service.stop()).toBe(0);
  });
});
