import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExpiredRowCleaner } from '../../../src/platform/database/expired-row-cleaner.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { createPlayer } from '../../support/api/factories.js';
import { PASSWORD } from '../../support/accounts.js';
import { withClockAhead } from '../../support/api/shift-clock.js';

const DAY = 86_400;
let service: TestApp;

beforeAll(async () => void (service = await startApp()));
afterAll(() => service.stop());

const count = async (table: string) => {
  const [row] = await service.database.query(`SELECT COUNT(*) AS n FROM ${table}`);
  return Number(row.n);
};

describe('An instance whose clock is 200 days ahead', () => {
  it('deletes no chat, sessions or known addresses, and reports the clock difference', async () => {
    const { account } = await createPlayer(service);
    await service.client.post('/api/login', { account, password: PASSWORD });
    const records = [{ server_id: 1, content: 'hello' }];
    await service.client.post('/api/report/chat', { records });

    await withClockAhead(200 * DAY, () => service.app.get(ExpiredRowCleaner).deleteAll());
    for (const table of ['chat', 'session', 'login_address'])
      expect(await count(table), table).toBe(1);
    const { text } = await service.client.get('/api/metrics');
    const skew = Number(/^gatehouse_clock_skew_seconds (\S+)$/m.exec(text)?.[1]);
    expect(Math.abs(skew + 200 * DAY)).toBeLessThan(10);
  });
});
