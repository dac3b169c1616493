import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ServersService } from '../../../src/features/servers/servers.service.js';
import { GameServer } from '../../../src/features/servers/game-server.entity.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { addServer } from '../../support/api/factories.js';

let service: TestApp;

beforeAll(async () => {
  service = await startApp();
});
afterEach(() => service.database.getRepository(GameServer).clear());
afterAll(() => service.stop());

const list = (headers = {}) => service.client.get('/api/server/list', { headers });
const listed = async () =>
  ((await list()).body.data.servers as Array<{ name: string }>).map(({ name }) => name);

/** Reads the table again, as the service does when its snapshot is a second old. */
function expireSnapshot(): void {
  service.app.get(ServersService)['snapshot'] = undefined;
}

async function expectListed(names: string[]): Promise<void> {
  expireSnapshot();
  expect(await listed()).toEqual(names);
}

describe('GET /api/server/list', () => {
  it('shows the public columns of a server only', async () => {
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

  it('has no group and no recommendation by default, and the table rejects invalid values', async () => {
    const { id } = await addServer(service.database, { name: 'plain' });
    await expectListed(['plain']);
    expect((await list()).body.data.servers).toMatchObject([{ group: null, recommended: false }]);
    for (const nonsense of [
      "zone_group = ' '",
      `zone_group = '${'x'.repeat(33)}'`,
      'recommended = 2',
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
});
