import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { Session } from '../../../src/platform/auth/session.entity.js';
import { AuditEvent, LoginEvent, MailEvent } from '../../../src/platform/audit/audit.entity.js';
import { PlayerLink } from '../../../src/features/links/player-link.entity.js';
import { Withdrawal } from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { PASSWORD, unique } from '../../support/accounts.js';
import type { TestApp } from '../../support/api/app.js';
import {
  deskUser,
  type DeskUser,
  type StaffedDesk,
  startStaffedDesk,
  type TestDesk,
} from '../../support/api/desk.js';
import { addServer, createPlayer } from '../../support/api/factories.js';
import { until } from '../../support/until.js';

let staffed: StaffedDesk;
let service: TestApp;
let desk: TestDesk;
let support: DeskUser;
let moderator: DeskUser;
let admin: DeskUser;

beforeAll(async () => {
  staffed = await startStaffedDesk();
  ({ service, desk, support, moderator, admin } = staffed);
});
afterAll(() => staffed.stop());

const note = 'ticket 811';
const actsOf = (id: number) =>
  service.database.getRepository(AuditEvent).find({
    where: { subject: `player ${id}` },
    order: { id: 'ASC' },
  });

async function loginEvent(playerId: number, time: Date, more: Partial<LoginEvent> = {}) {
  return service.database.getRepository(LoginEvent).save({
    playerId,
    createdAt: time,
    way: 'login' as const,
    outcome: 'ok',
    tries: 1,
    address: '203.0.113.7',
    ...more,
  });
}

/** Returns the rows of all pages. */
async function all(user: DeskUser, path: string, list: string, cursor: string) {
  const found: Array<Record<string, unknown>> = [];
  for (let next: string | null = ''; next !== null;) {
    const more: string = next === '' ? '' : `&${cursor}=${encodeURIComponent(next)}`;
    const { status, body } = await user.get(path + more);
    expect(status).toBe(200);
    found.push(...body.data[list]);
    next = body.data.next === null ? null : String(body.data.next);
  }
  return found;
}

describe('GET /api/players', () => {
  it('finds players by an address they signed in from and by the name of a role with a withdrawal', async () => {
    const [one, other] = [await createPlayer(service), await createPlayer(service)];
    const find = async (text: string) => {
      const { body } = await support.get(`/api/players?q=${encodeURIComponent(text)}`);
      return (body.data.players as Array<{ id: number }>).map(({ id }) => id);
    };
    await loginEvent(one.id, new Date(), { address: '2001:db8:9::1' });
    await loginEvent(other.id, new Date(), {
      address: '2001:db8:9::1',
      outcome: 'bad_credentials',
    });
    expect(await find('2001:DB8:9:0::1')).toEqual([one.id]);
    const { id: serverId } = await addServer(service.database);
    const roleName = unique('龙');
    const role = { serverId, roleServerId: serverId, roleId: 1, roleName };
    const times = { createdAt: new Date(), settledAt: new Date() };
    await service.database
      .getRepository(Withdrawal)
      .save({ playerId: other.id, ...role, ...times, amount: 9, status: 'failed' as const });
    expect(await find(roleName)).toEqual([other.id]);
    expect(await find(`role:${roleName}`)).toEqual([other.id]);
  });

  it('finds players by id, name, e-mail address, connect_id and prefix', async () => {
    const account = unique('seek');
    const email = `${account}@mail.example`;
    const { id } = await createPlayer(service, { account, email });
    await service.database
      .getRepository(PlayerLink)
      .insert({ playerId: id, provider: 'forum', connectId: `c${account}` });
    for (const q of [`${id}`, account.toUpperCase(), email, `c${account}`, account.slice(0, -2)]) {
      const { body } = await support.get(`/api/players?q=${encodeURIComponent(q)}`);
      expect(body.data.players, q).toContainEqual(
        expect.objectContaining({ id, account, email: `s•••@mail.example`, disabled_at: null }),
      );
    }
    const { body } = await admin.get(`/api/players?q=${account}`);
    expect(body.data.players).toMatchObject([{ id, email }]);
    expect((await support.get('/api/players?q=no_such_player_at_all')).body.data).toEqual({
      players: [],
      next: null,
    });
  });

  it('pages through names with the same prefix and treats % and _ literally', async () => {
    const begin = unique('many');
    const names = ['_b', 'A', 'a1', 'B', '_a', 'c%'].map((end) => begin + end);
    for (const account of names) await createPlayer(service, { account });
    const found = await all(support, `/api/players?q=${begin}&limit=2`, 'players', 'after');
    expect(found.map(({ account }) => String(account)).toSorted()).toEqual(names.toSorted());
    const { body } = await support.get(`/api/players?q=${begin}_`);
    expect(body.data.players.map(({ account }: Player) => account).toSorted()).toEqual(
      [`${begin}_a`, `${begin}_b`].toSorted(),
    );
  });

  it('shows the last successful sign-in', async () => {
    const { id, account } = await createPlayer(service);
    await loginEvent(id, new Date('2026-11-01T10:00:00.500Z'));
    await loginEvent(id, new Date('2026-11-02T10:00:00.000Z'), { outcome: 'bad_credentials' });
    const { body } = await support.get(`/api/players?q=${account}`);
    expect(body.data.players).toMatchObject([{ id, last_login_at: '2026-11-01T10:00:00.500Z' }]);
  });
});

describe('GET /api/players/:id', () => {
  it('shows the player and the permitted actions', async () => {
    const account = unique('page');
    const { id } = await createPlayer(service, { account, email: `${account}@mail.example` });
    await service.client.post('/api/login', { account, password: PASSWORD });
    const trustedUntil = new Date(Date.now() + 60_000);
    await service.database.getRepository(Session).update({ playerId: id }, { trustedUntil });
    const { body } = await support.get(`/api/players/${id}`);
    expect(body.data).toMatchObject({
      player: { id, account, game_account: account, email: 'p•••@mail.example' },
      sessions: [{ remembered: false, trusted_until: trustedUntil.toISOString() }],
      links: [],
      withdrawals: [],
      locks_are_shared: false,
      standing: {
        can_sign_in: true,
        can_withdraw: true,
        because: [],
        also: [{ name: 'locks_unseen' }],
      },
      may: ['sign_out', 'end_session', 'secure'],
    });
    expect((await moderator.get(`/api/players/${id}`)).body.data.may).toEqual([
      'sign_out',
      'end_session',
      'secure',
      'ban',
      'disable',
      'rename',
    ]);
    expect((await support.get('/api/players/2000000000')).body.error).toBe('not_found');
    expect((await support.get('/api/players/one')).body.error).toBe('not_found');
  });

  it('is audited at most once every ten minutes, and only for admins and treasury', async () => {
    const { id } = await createPlayer(service);
    const treasury = await deskUser(desk, 'treasury');
    // The views may span two ten-minute intervals, so each operator has one or two events.
    const views = Array.from({ length: 20 }, (_, n) =>
      [admin, treasury, support, moderator][n % 4]!.get(`/api/players/${id}`),
    );
    await Promise.all(views);
    const who = (await actsOf(id)).map(({ act, operator }) => `${act} ${operator}`);
    expect(new Set(who)).toEqual(
      new Set([`desk.view ${admin.name}`, `desk.view ${treasury.name}`]),
    );
    expect(who.length).toBeLessThanOrEqual(4);
  });
});

describe('GET /api/players/:id/timeline', () => {
  it('merges all events newest first and masks e-mail addresses', async () => {
    const account = unique('time');
    const email = `${account}@mail.example`;
    const { id } = await createPlayer(service, { account, email });
    await loginEvent(id, new Date(Date.now() - 5000), { account: email });
    await admin.post(`/api/players/${id}/set_email`, { note, email: `new_${email}` });
    // The desk records the failed e-mails to both addresses as one event in the background, for the first that failed.
    await until(() => service.database.getRepository(MailEvent).existsBy({ playerId: id }));
    await service.database.query(
      `INSERT INTO player_zone (player_id, server_id, entered_at, enter_count) VALUES (?, 7, '2026-11-01 10:00:00.000', 3)`,
      [id],
    );
    const { body } = await support.get(`/api/players/${id}/timeline`);
    expect(body.data).toMatchObject({
      events: [
        {
          kind: 'mail',
          what: 'support',
          outcome: 'failed',
          mailbox: expect.stringMatching(/^[tn]•••@mail\.example$/),
        },
        { kind: 'act', act: 'player.set-email', operator_name: admin.name, note },
        { kind: 'login', outcome: 'ok', typed: 't•••@mail.example', address: '203.0.113.7' },
        { kind: 'entry', at: '2026-11-01T10:00:00.000Z', server_id: 7, times: 3 },
      ],
      next: null,
    });
    expect(JSON.stringify(body)).not.toContain(email);
    expect((await admin.get(`/api/players/${id}/timeline`)).text).toContain(`new_${email}`);
    const logins = await support.get(`/api/players/${id}/timeline?kinds=login,link`);
    expect(logins.body.data.events).toMatchObject([{ kind: 'login' }]);
    const earlier = await support.get(`/api/players/${id}/timeline?before=2026-11-02T00:00:00Z`);
    expect(earlier.body.data.events).toMatchObject([{ kind: 'entry' }]);
    const bad = await support.get(`/api/players/${id}/timeline?before=yesterday`);
    expect(bad.body.error).toBe('invalid_request');
    expect((await support.get(`/api/players/${id}/timeline?kinds=login,odd`)).status).toBe(400);
  });

  it('pages through events with the same time without loss or duplicates', async () => {
    const { id } = await createPlayer(service);
    const times = ['2026-11-03T10:00:00.001Z', '2026-11-03T10:00:00.000Z'];
    for (const time of times)
      for (let n = 0; n < 5; n++) {
        await loginEvent(id, new Date(time), { requestId: `${time} ${n}` });
        await service.database.getRepository(AuditEvent).insert({
          createdAt: new Date(time),
          operator: 'anna',
          act: 'player.sign-out',
          subject: `player ${id}`,
          note: `${time} ${n}`,
          before: null,
          after: null,
        });
      }
    for (const limit of [1, 3, 7, 100]) {
      const found = await all(
        support,
        `/api/players/${id}/timeline?limit=${limit}`,
        'events',
        'before',
      );
      const keys = found.map(({ kind, id: key }) => `${String(kind)} ${String(key)}`);
      expect(new Set(keys).size).toBe(20);
      expect(keys).toHaveLength(20);
      const order = found.map(({ at }) => at as string);
      expect(order).toEqual(order.toSorted().toReversed());
    }
  });
});

describe('POST /api/players/:id/:action', () => {
  it('performs the action and audits the operator and the note', async () => {
    const { id } = await createPlayer(service, { email: `${unique('m')}@mail.example` });
    const disabled = await moderator.post(`/api/players/${id}/disable`, { note, by: 'root' });
    expect(disabled.body.data).toMatchObject({ player: { disabled_at: expect.any(String) } });
    expect(disabled.body.data.may).toContain('enable');
    const again = await moderator.post(`/api/players/${id}/disable`, { note });
    expect(again).toMatchObject({ status: 409, body: { error: 'act_refused' } });
    expect(again.body.message).toContain('is already disabled');
    await moderator.post(`/api/players/${id}/enable`, { note });
    const name = unique('r').slice(0, 20);
    await moderator.post(`/api/players/${id}/rename`, { note, name });
    await support.post(`/api/players/${id}/sign_out`, { note });
    await admin.post(`/api/players/${id}/set_password`, { note, password: 'another one' });
    const acts = await actsOf(id);
    expect(acts.filter(({ act }) => act !== 'desk.view')).toMatchObject([
      { act: 'player.disable', operator: moderator.name, note },
      { act: 'player.enable', operator: moderator.name, note },
      { act: 'player.rename', operator: moderator.name, after: { account: name } },
      { act: 'player.sign-out', operator: support.name, note },
      { act: 'player.set-password', operator: admin.name, note },
    ]);
    const login = await service.client.post('/api/login', {
      account: name,
      password: 'another one',
    });
    expect(login.status).toBe(200);
  });
});
