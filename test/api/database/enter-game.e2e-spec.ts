import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { ServerVisit } from '../../../src/features/game/server-visits.js';
import { PASSWORD } from '../../support/accounts.js';
import type { TestApp } from '../../support/api/app.js';
import { createPlayer, tokenOf } from '../../support/api/factories.js';
import { inParallel } from '../../support/api/parallel.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { GameEntrance } from '../../support/api/enter-game.js';

const HOUR_MS = 3_600_000;
const HOURS = 3600;
const SERVERS = {
  normal: { status: 'normal', openAt: new Date(Date.now() - HOUR_MS) },
  busy: { status: 'busy', name: '龙谷 🐉', port: 7100 },
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
  it('returns what the game client needs and forbids caching', async () => {
    const answer = await game.enter('busy');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body.data).toEqual({
      account: game.player.account,
      token: expect.any(String),
      server: {
        id: ids.get('busy'),
        name: '龙谷 🐉',
        address: 'server.example',
        port: 7100,
        status: 'busy',
      },
    });
  });

  it("issues a token, different from the caller's, that /api/check accepts until the session ends", async () => {
    const { account } = game.player;
    const check = async (shown: string) =>
      (await service.client.post('/api/check', { account, token: shown })).body;
    const login = { account, password: PASSWORD };
    const own = (await service.client.post('/api/login', login)).body.data.token;
    const body = { server_id: ids.get('normal') };
    const enterFrom = () => service.client.post('/api/enter_game', body, { token: own });
    const gameToken = (await enterFrom()).body.data.token;
    expect(decodeJwt(gameToken)).toMatchObject({ aud: 'game', sid: decodeJwt(own).sid });
    expect((await check(gameToken)).data).toEqual({ account, format: 'jwt' });
    expect((await check(own)).data).toEqual({ account, format: 'jwt' });
    // The session expires after 24 hours, and so does a token issued in its last hour.
    const late = await withClockAhead(23 * HOURS, enterFrom);
    const lateToken = late.body.data.token;
    await withClockAhead(23 * HOURS, async () =>
      expect((await check(lateToken)).data).toEqual({ account, format: 'jwt' }),
    );
    await withClockAhead(25 * HOURS, async () =>
      expect((await check(lateToken)).error).toBe('token_invalid'),
    );
    expect((await service.client.send('POST', '/api/logout', { token: own })).status).toBe(200);
    expect((await check(gameToken)).error).toBe('token_invalid');
  });

  it('stores the server, the address, the time and the number of entries', async () => {
    const before = await game.storedPlayer();
    const started = Date.now();
    await game.enter('normal', '2001:db8::7');
    const after = await game.storedPlayer();
    const { enteredAt } = after;
    const changes = {
      enteredAt,
      serverId: ids.get('normal'),
      ip: '2001:db8::7',
      enterCount: before.enterCount + 1,
    };
    expect(after).toEqual(Object.assign(before, changes));
    expect(enteredAt!.getTime()).toBeGreaterThanOrEqual(started);
    expect(enteredAt!.getTime()).toBeLessThanOrEqual(Date.now());
  });
});

describe('GET /api/server/mine', () => {
  const mine = async (as: string) =>
    (await service.client.get('/api/server/mine', { token: as })).body.data.servers;

  it('lists the servers that the caller has entered, newest first', async () => {
    const other = await createPlayer(service);
    const own = tokenOf(service, other);
    const go = (kind: Kind) =>
      service.client.post('/api/enter_game', { server_id: ids.get(kind) }, { token: own });
    expect(await mine(own)).toEqual([]);
    for (const kind of ['busy', 'normal', 'busy'] as const) await go(kind);
    const [first, second, ...more] = await mine(own);
    expect(first).toMatchObject({ id: ids.get('busy'), enter_count: 2 });
    expect(second).toMatchObject({ id: ids.get('normal'), enter_count: 1 });
    expect(more).toEqual([]);
    const { enteredAt } = await service.database
      .getRepository(Player)
      .findOneByOrFail({ id: other.id });
    expect(first.entered_at).toBe(enteredAt!.toISOString());
  });

  it('counts every parallel first entry, per server and per player', async () => {
    const other = await createPlayer(service);
    const own = tokenOf(service, other);
    const kinds = ['normal', 'busy'] as const;
    const answers = await inParallel((index) => {
      const server_id = ids.get(kinds[index % 2]!);
      return service.client.post('/api/enter_game', { server_id }, { token: own });
    });
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const servers: Array<{ enter_count: number }> = await mine(own);
    expect(servers.map(({ enter_count }) => enter_count)).toEqual([4, 4]);
    const row = await service.database.getRepository(Player).findOneByOrFail({ id: other.id });
    expect(row.enterCount).toBe(8);
  });

  it('lists at most 20 servers', async () => {
    const other = await createPlayer(service);
    const rows = Array.from({ length: 25 }, (_, hour) => ({
      playerId: other.id,
      serverId: hour + 1,
      enteredAt: new Date(Date.now() - hour * HOUR_MS),
    }));
    await service.database.getRepository(ServerVisit).save(rows);
    const servers: Array<{ id: number }> = await mine(tokenOf(service, other));
    expect(servers.map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, place) => place + 1),
    );
  });
});
