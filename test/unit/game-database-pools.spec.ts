import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GameDatabasePools } from '../../src/features/withdraw/game/game-database.js';
import type { WithdrawalServer } from '../../src/features/withdraw/game/withdrawal-servers.js';
import type { Environment } from '../../src/platform/config/environment.js';
import type { Settings } from '../../src/platform/config/settings.js';
import { SqliteGameWorld } from '../support/api/sqlite-game-world.js';
import { TcpProxy } from '../support/servers/tcp-proxy.js';
import { until } from '../support/until.js';

let world: SqliteGameWorld;
let proxy: TcpProxy;
let pools: GameDatabasePools;

beforeEach(async () => {
  world = await SqliteGameWorld.start();
  await world.addServer(1);
  proxy = await TcpProxy.start(world.port);
  const hosts = [{ host: '127.0.0.1', port: proxy.port }];
  pools = new GameDatabasePools(
    { gameDatabase: { hosts, user: 'reader', password: 'reader' } } as unknown as Environment,
    {
      current: {
        game_database: { pattern: 'mir_actor_s{server_id}' },
        game_hosts: [] as string[],
        desk: { instances: [] as string[] },
      },
    } as Settings,
  );
});
afterEach(async () => {
  vi.useRealTimers();
  pools.onApplicationShutdown();
  await proxy.stop();
  await world.stop();
});

const read = (server: Partial<WithdrawalServer> = {}) =>
  pools.read(
    { id: 1, dbHost: null, dbPort: null, ...server } as WithdrawalServer,
    'SELECT COUNT(*) AS count FROM actors',
    [],
  );
const isConnected = () => proxy['sockets'].size > 0;

describe('GameDatabasePools', () => {
  it('closes the connections to a server that has not been read for a minute', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    await read();
    vi.advanceTimersByTime(20_000);
    await read();
    vi.advanceTimersByTime(20_000);
    expect(isConnected()).toBe(true);
    vi.advanceTimersByTime(40_000);
    vi.useRealTimers();
    await until(() => !isConnected());
    expect(await read()).toHaveLength(1);
  });

  it('reads a server at its new address immediately', async () => {
    await read();
    const moved = await TcpProxy.start(world.port);
    await read({ dbPort: moved.port });
    expect(moved['sockets'].size).toBeGreaterThan(0);
    await moved.stop();
  });
});
