import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardService } from '../../../src/operators/desk/dashboard/dashboard.service.js';
import { AuditEvent } from '../../../src/platform/audit/audit.entity.js';
import { PASSWORD } from '../../support/accounts.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { deskUser, type DeskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { banPlayer, createPlayer } from '../../support/api/factories.js';

const HOUR_MS = 3_600_000;
const note = 'ticket 811';
let service: TestApp;
let desk: TestDesk;
let support: DeskUser;
let moderator: DeskUser;

beforeAll(async () => {
  service = await startApp();
  desk = await startDesk(service);
  support = await deskUser(desk, 'support');
  moderator = await deskUser(desk, 'moderator');
});
afterAll(async () => {
  await desk.stop();
  await service.stop();
});

const namesFor = async (q: string) => {
  const { body } = await support.get(`/api/players?q=${encodeURIComponent(q)}`);
  return body.data.players.map(({ account }: { account: string }) => account);
};

describe('The desk', () => {
  it('bans a player for some hours or permanently, shows the history, and lifts the bans', async () => {
    const { id, account } = await createPlayer(service);
    const login = () => service.client.post('/api/login', { account, password: PASSWORD });
    const post = (act: string, more = {}) =>
      moderator.post(`/api/players/${id}/${act}`, { note, ...more });
    const banned = await post('ban', { scope: 'withdraw', reason: 'chargeback', hours: 72 });
    const [ban] = banned.body.data.bans;
    expect(ban).toMatchObject({ scope: 'withdraw', reason: 'chargeback', note, in_force: true });
    expect(ban).toMatchObject({ created_by: moderator.name, lifted_at: null });
    const lasts = Date.parse(ban.until) - Date.parse(ban.created_at);
    expect(Math.abs(lasts - 72 * HOUR_MS)).toBeLessThan(60_000);
    await post('ban', { scope: 'all', reason: 'botting' });
    expect((await login()).body).toMatchObject({ ban: { reason: 'botting', until: null } });
    const { bans } = (await support.get(`/api/players/${id}`)).body.data;
    const one = await post('unban', { ban: bans[0].id });
    expect(one.body.data.bans).toMatchObject([
      { reason: 'botting', in_force: false },
      { reason: 'chargeback', in_force: true },
    ]);
    expect((await post('unban', { ban: bans[0].id })).body.error).toBe('act_refused');
    const lifted = await moderator.post(`/api/players/${id}/unban`, { note: 'ask x@mail.example' });
    expect(lifted.body.data.may).not.toContain('unban');
    expect(lifted.body.data.bans).toMatchObject([
      {
        reason: 'botting',
        lifted_at: expect.any(String),
        lift: { by: moderator.name, note },
      },
      {
        reason: 'chargeback',
        in_force: false,
        until: ban.until,
        lift: { by: moderator.name, note: 'ask x•••@mail.example' },
      },
    ]);
    expect((await login()).status).toBe(200);
    expect((await post('unban')).body.error).toBe('act_refused');
    const events = service.database.getRepository(AuditEvent);
    const acts = await events.find({ where: { subject: `player ${id}` }, order: { id: 'ASC' } });
    expect(acts.map(({ act }) => act)).toEqual([
      'player.ban',
      'player.ban',
      'player.unban',
      'player.unban',
    ]);
    for (const wrong of [{ scope: 'login' }, { reason: '' }, { hours: 0 }, { hours: '3' }])
      expect((await post('ban', { scope: 'all', reason: 'x', ...wrong })).status).toBe(400);
  });

  it('rejects bans by operators whose role does not allow them', async () => {
    const { id } = await createPlayer(service);
    for (const act of ['ban', 'unban']) {
      const body = { note, scope: 'all', reason: 'x' };
      const { status } = await support.post(`/api/players/${id}/${act}`, body);
      expect(status).toBe(403);
    }
  });

  it('finds banned players, also by the day when the ban ends, and counts them', async () => {
    const counts = async () => (await support.get('/api/now')).body.data.bans;
    const before = await counts();
    const [one, other, free] = [
      await createPlayer(service),
      await createPlayer(service),
      await createPlayer(service),
    ];
    await banPlayer(service, one, { until: new Date('2098-05-01T10:00:00Z') });
    await banPlayer(service, other, { scope: 'withdraw' });
    await banPlayer(service, free, { liftedAt: new Date() });
    const all = await namesFor('banned:');
    expect(all).toEqual(expect.arrayContaining([one.account, other.account]));
    expect(all).not.toContain(free.account);
    expect(await namesFor('banned:2098-05-01')).toEqual([one.account]);
    expect(await namesFor('banned:2098-04-30')).toEqual([]);
    const { body } = await support.get(`/api/players?q=${one.account}`);
    expect(body.data.players[0].ban).toEqual({ scope: 'all', until: '2098-05-01T10:00:00.000Z' });
    // The dashboard caches its data for two seconds.
    desk.app.get(DashboardService)['latest'] = undefined;
    expect(await counts()).toEqual({ all: before.all + 1, withdraw: before.withdraw + 1 });
  });
});
