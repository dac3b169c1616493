import { describe, expect, it } from 'vitest';
import type { GameServer } from '../../servers/game-server.entity.js';
import type { ServersService } from '../../servers/servers.service.js';
import { WithdrawalServers } from './withdrawal-servers.js';

const ROW = { id: 1, address: 'game.example', gmPort: 8080, gmPath: '/gm', mergedInto: null };

function find(columns: Partial<GameServer>) {
  const row = { ...ROW, gmAddress: null, dbHost: null, dbPort: null, ...columns };
  const servers = { getRunning: async () => row } as unknown as ServersService;
  return new WithdrawalServers(servers).getWithdrawable(1);
}

describe('WithdrawalServers', () => {
  it('treats an empty gm_address and db_host as absent', async () => {
    const server = await find({ gmAddress: '', dbHost: '' });
    expect(server).toEqual(await find({ gmAddress: null, dbHost: null }));
    expect(server.gm.host).toBe('game.example');
  });

  it("returns a GM interface's host name in lower case", async () => {
    expect((await find({ gmAddress: 'GM.Example' })).gm.host).toBe('gm.example');
  });
});
