import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../src/platform/auth/player.entity.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer, addServer, tokenOf } from '../support/api/factories.js';

const HOUR_MS = 3_600_000;
const SERVERS = {
  new: { status: 'new' },
  normal: { status: 'normal' },
  busy: { status: 'busy' },
  full: { status: 'full' },
  maintenance: { status: 'maintenance' },
  closed: { status: 'closed' },
  'not yet open': { openAt: new Date(Date.now() + HOUR_MS) },
} as const;
type Kind = keyof typeof SERVERS;

let service: TestApp;
let player: Player;
let token: string;
const ids = new Map<Kind, number>();

beforeAll(async () => {
  service = await startApp();
  // Before the first request, because the service caches its servers.
  for (const [kind, server] of Object.entries(SERVERS))
    ids.set(kind as Kind, (await addServer(service.database, server)).id);
  player = await createPlayer(service);
  token = tokenOf(service, player);
});
afterAll(() => service.stop());

const post = (body: unknown) => service.client.post('/api/enter_game', body, { token });
const enter = (kind: Kind) => post({ server_id: ids.get(kind) });
const stored = () => service.database.getRepository(Player).findOneByOrFail({ id: player.id });

describe('POST /api/enter_game', () => {
  it.each(['new', 'normal', 'busy', 'full'] as const)(
    'admits a player to a %s server',
    async (kind) => {
      expect((await enter(kind)).body.data.server).toMatchObject({ id: ids.get(kind) });
      expect(await stored()).toMatchObject({ serverId: ids.get(kind) });
    },
  );

  it.each([
    ['maintenance', 'server_unavailable'],
    ['not yet open', 'server_unavailable'],
    ['closed', 'server_not_found'],
  ] as const)('answers a server that is %s with %s and stores nothing', async (kind, error) => {
    const before = await stored();
    expect((await enter(kind)).body.error).toBe(error);
    expect(await stored()).toEqual(before);
  });

  it('rejects an unknown server and a malformed server_id', async () => {
    expect((await post({ server_id: 999_999_999 })).body.error).toBe('server_not_found');
    for (const server_id of ['1', 1.5, 0, null, [1], { $gt: 0 }])
      expect((await post({ server_id })).body.error).toBe('invalid_request');
    expect((await post({})).body.details).toMatchObject([{ field: 'server_id' }]);
  });

  it('requires a token', async () => {
    const answer = await service.client.post('/api/enter_game', { server_id: 1 });
    expect(answer.body.error).toBe('unauthorized');
  });
});
