import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../src/platform/auth/player.entity.js';
import { ServerVisit } from '../../src/features/game/server-visit.entity.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer, addServer, tokenOf } from '../support/api/factories.js';
import { answersInTime } from '../support/run/slow-machine.js';

const HOUR_MS = 3_600_000;
const SERVERS = {
  new: { status: 'new' },
  normal: { status: 'normal', openAt: new Date(Date.now() - HOUR_MS) },
  busy: { status: 'busy', name: '龙谷 🐉', port: 7100 },
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
  // Before the first request, so that no test has to wait for the servers to be read again.
  for (const [kind, server] of Object.entries(SERVERS))
    ids.set(kind as Kind, (await addServer(service.database, server)).id);
  player = await createPlayer(service);
  token = tokenOf(service, player);
});
afterAll(() => service.stop());

const post = (body: unknown, from?: string) =>
  service.client.post('/api/enter_game', body, { token, from });
const enter = (kind: Kind, from?: string) => post({ server_id: ids.get(kind) }, from);
const stored = () => service.database.getRepository(Player).findOneByOrFail({ id: player.id });

describe('POST /api/enter_game', () => {
  it('answers what the game client needs, and is kept by no cache', async () => {
    const answer = await enter('busy');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body.data).toEqual({
      account: player.account,
      token,
      server: {
        id: ids.get('busy'),
        name: '龙谷 🐉',
        address: 'server.example',
        port: 7100,
        status: 'busy',
      },
    });
  });

  it('stores the server, the address and the time, and counts', async () => {
    const before = await stored();
    const started = Date.now();
    await enter('normal', '2001:db8::7');
    const after = await stored();
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

  it('counts every one of many at once', async () => {
    const { enterCount } = await stored();
    const answers = await answersInTime(Array.from({ length: 30 }, () => enter('normal')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect((await stored()).enterCount).toBe(enterCount + 30);
  });

  it.each(['new', 'normal', 'busy', 'full'] as const)('lets into a %s server', async (kind) => {
    expect((await enter(kind)).body.data.server).toMatchObject({ id: ids.get(kind) });
    expect(await stored()).toMatchObject({ serverId: ids.get(kind) });
  });

  it.each([
    ['maintenance', 'server_unavailable'],
    ['not yet open', 'server_unavailable'],
    ['closed', 'server_not_found'],
  ] as const)('refuses a server that is %s with %s, and stores nothing', async (kind, error) => {
    const before = await stored();
    expect((await enter(kind)).body.error).toBe(error);
    expect(await stored()).toEqual(before);
  });

  it('refuses a server that does not exist, and what is no server', async () => {
    expect((await post({ server_id: 999_999_999 })).body.error).toBe('server_not_found');
    for (const server_id of ['1', 1.5, 0, null, [1], { $gt: 0 }])
      expect((await post({ server_id })).body.error).toBe('invalid_request');
    expect((await post({})).body.details).toMatchObject([{ field: 'server_id' }]);
  });

  it('needs a token', async () => {
    const answer = await service.client.post('/api/enter_game', { server_id: 1 });
    expect(answer.body.error).toBe('unauthorized');
  });
});

describe('GET /api/server/mine', () => {
  const mine = async (as: string) =>
    (await service.client.get('/api/server/mine', { token: as })).body.data.servers;

  it('lists what the caller has entered, newest first, and counts', async () => {
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

  it('counts every one of many first entries at once, for the server as for the player', async () => {
    const other = await createPlayer(service);
    const own = tokenOf(service, other);
    const kinds = ['new', 'normal', 'busy', 'full'] as const;
    const answers = await answersInTime(
      Array.from({ length: 40 }, (_, place) =>
        service.client.post(
          '/api/enter_game',
          { server_id: ids.get(kinds[place % 4]!) },
          { token: own },
        ),
      ),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const servers: Array<{ enter_count: number }> = await mine(own);
    expect(servers.map(({ enter_count }) => enter_count)).toEqual([10, 10, 10, 10]);
    const row = await service.database.getRepository(Player).findOneByOrFail({ id: other.id });
    expect(row.enterCount).toBe(40);
  });

  it('ends with the twentieth', async () => {
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

describe('GET /api/config', () => {
  const config = async () => (await service.client.get('/api/config')).body.data;

  it('shows what a front end needs and nothing else, for a short time', async () => {
    const answer = await service.client.get('/api/config');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=5');
    expect(answer.body.data).toEqual({
      withdraw: {
        enabled: true,
        min: 100,
        max: 100_000,
        daily_max: 500_000,
        currency: 'yuanbao',
      },
      registration: { open: true },
      code: { length: 6, expires_in: 60, resend_in: 60 },
      forum_login: { enabled: false },
      remember: { enabled: true, days: 30 },
      notices: [],
      support_url: null,
      privacy_url: null,
      game_client_url: null,
    });
  });

  it('follows the settings', async () => {
    await service.changeSettings({
      withdraw: { enabled: false, min: 5, currency: 'gold' },
      day_max_reg: 0,
      verify: { cooldown: 90 },
      game_client_url: 'https://play.example/client',
    });
    expect(await config()).toMatchObject({
      withdraw: { enabled: false, min: 5, max: 100_000, currency: 'gold' },
      registration: { open: false },
      code: { resend_in: 90 },
      game_client_url: 'https://play.example/client',
    });
    await service.changeSettings({ day_max_reg: null });
    expect((await config()).registration.open).toBe(true);
  });

  it('shows the notices that are due, and where to turn to', async () => {
    const text = { zh: '维护', en: 'maintenance' };
    const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
    const inShanghai = (time: string) =>
      new Date(Date.parse(time) + 8 * HOUR_MS).toISOString().replace('Z', '+08:00');
    const [before, after] = [at(-1), at(1)];
    await service.changeSettings({
      notices: [
        { text, from: inShanghai(before), until: inShanghai(after), level: 'warning' },
        { text, from: after },
        { text, until: before },
        { text, link: 'https://forum.example/7' },
      ],
      support_url: 'mailto:help@example.com',
      privacy_url: 'https://example.com/privacy',
    });
    expect(await config()).toMatchObject({
      notices: [
        { text, level: 'warning', from: before, until: after, link: null },
        { text, level: 'info', from: null, until: null, link: 'https://forum.example/7' },
      ],
      support_url: 'mailto:help@example.com',
      privacy_url: 'https://example.com/privacy',
    });
  });

  it('offers the forum where it is set up', async () => {
    const withForum = await startApp({
      env: {
        FORUM_AUTHORIZE_URL: 'https://forum.example/authorize',
        FORUM_TOKEN_URL: 'https://forum.example/token',
        FORUM_USERINFO_URL: 'https://forum.example/me',
        FORUM_CLIENT_ID: 'gatehouse',
        FORUM_CLIENT_SECRET: 'known-to-nobody-else',
      },
    });
    const answer = await withForum.client.get('/api/config');
    expect(answer.body.data.forum_login).toEqual({ enabled: true });
    expect(answer.text).not.toMatch(/forum\.example|known-to/);
    await withForum.stop();
  });
});
