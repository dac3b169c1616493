import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GameServer } from '../../../src/features/servers/game-server.entity.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { addServer } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { serverListRequests } from '../../support/api/server-list.js';

let service: TestApp;

beforeAll(async () => {
  service = await startApp();
});
afterEach(() => service.database.getRepository(GameServer).clear());
afterAll(() => service.stop());

const { list, expectListed } = serverListRequests(() => service);

describe('GET /api/server/list', () => {
  it("shows only a server's public columns", async () => {
    const server = await addServer(service.database, {
      name: '龙谷 🐉',
      openAt: new Date('2026-12-01T10:00:00Z'),
      gmAddress: '10.0.0.1',
      dbHost: '10.0.0.2',
      group: '东部',
      recommended: true,
    });
    await expectListed(['龙谷 🐉']);
    const answer = await list();
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({
      code: 0,
      message: 'ok',
      data: {
        servers: [
          {
            id: server.id,
            name: '龙谷 🐉',
            address: 'server.example',
            port: 7000,
            status: 'normal',
            open_at: '2026-12-01T10:00:00.000Z',
            group: '东部',
            recommended: true,
          },
        ],
      },
    });
  });

  it('shows no group and no recommendation by default, and the table rejects invalid values', async () => {
    const { id } = await addServer(service.database, { name: 'plain' });
    await expectListed(['plain']);
    expect((await list()).body.data.servers).toMatchObject([{ group: null, recommended: false }]);
    for (const nonsense of [
      "zone_group = ' '",
      `zone_group = '${'x'.repeat(33)}'`,
      'recommended = 2',
      "status = 'scheduled'",
    ])
      await expect(
        service.database.query(`UPDATE server SET ${nonsense} WHERE id = ${id}`),
      ).rejects.toThrow();
  });

  it('orders by sort and id, and omits closed servers', async () => {
    await addServer(service.database, { name: 'c', sort: 2 });
    await addServer(service.database, { name: 'a', sort: 1 });
    await addServer(service.database, { name: 'b', sort: 1 });
    await addServer(service.database, { name: 'closed', status: 'closed' });
    await addServer(service.database, { name: 'maintained', status: 'maintenance', sort: 9 });
    await expectListed(['a', 'b', 'c', 'maintained']);
  });

  it('hides a scheduled server until its time, and lists it as new from then on', async () => {
    const openAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000);
    await addServer(service.database, { name: 'old' });
    await addServer(service.database, { name: 'tomorrow', status: 'scheduled', openAt });
    await withClockAhead(3590, () => expectListed(['old']));
    await withClockAhead(3602, async () => {
      await expectListed(['old', 'tomorrow']);
      const { servers } = (await list()).body.data;
      expect(servers[1]).toMatchObject({ status: 'new', open_at: openAt.toISOString() });
    });
    // The row has not changed, so an instance whose clock is right still hides it.
    await expectListed(['old']);
  });
});
