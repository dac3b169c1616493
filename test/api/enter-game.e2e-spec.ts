import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../support/api/app.js';
import { GameEntrance } from '../support/api/enter-game.js';

const HOUR_MS = 3_600_000;
const SERVERS = {
  new: { status: 'new' },
  normal: { status: 'normal' },
  busy: { status: 'busy' },
  full: { status: 'full' },
  maintenance: { status: 'maintenance' },
  closed: { status: 'closed' },
  'not yet open': { openAt: new Date(Date.now() + HOUR_MS) },
  'scheduled for later': { status: 'scheduled', openAt: new Date(Date.now() + HOUR_MS) },
  'scheduled and open': { status: 'scheduled', openAt: new Date(Date.now() - HOUR_MS) },
} as const;
type Kind = keyof typeof SERVERS;

let game: GameEntrance<Kind>;
let service: TestApp;
let ids: ReadonlyMap<Kind, number>;

beforeAll(async () => {
  game = await GameEntrance.start(SERVERS);
  ({ service, ids } = game);
});
afterAll(() => service.stop());

describe('POST /api/enter_game', () => {
  it.each(['new', 'normal', 'busy', 'full'] as const)(
    'admits a player to a %s server',
    async (kind) => {
      expect((await game.enter(kind)).body.data.server).toMatchObject({ id: ids.get(kind) });
      expect(await game.storedPlayer()).toMatchObject({ serverId: ids.get(kind) });
    },
  );

  it('admits a player to a scheduled server whose time has come, and reports it as new', async () => {
    const { server } = (await game.enter('scheduled and open')).body.data;
    expect(server).toMatchObject({ id: ids.get('scheduled and open'), status: 'new' });
  });

  it.each([
    ['scheduled for later', 'server_not_found'],
    ['maintenance', 'server_unavailable'],
    ['not yet open', 'server_unavailable'],
    ['closed', 'server_not_found'],
  ] as const)(
    'for a server in the state "%s" returns %s and stores nothing',
    async (kind, error) => {
      const before = await game.storedPlayer();
      expect((await game.enter(kind)).body.error).toBe(error);
      expect(await game.storedPlayer()).toEqual(before);
    },
  );

  it('rejects an unknown server and a malformed server_id', async () => {
    expect((await game.post({ server_id: 999_999_999 })).body.error).toBe('server_not_found');
    for (const server_id of ['1', 1.5, 0, null, [1], { $gt: 0 }])
      expect((await game.post({ server_id })).body.error).toBe('invalid_request');
    expect((await game.post({})).body.details).toMatchObject([{ field: 'server_id' }]);
  });

  it('requires a token', async () => {
    const answer = await service.client.post('/api/enter_game', { server_id: 1 });
    expect(answer.body.error).toBe('unauthorized');
  });
});
