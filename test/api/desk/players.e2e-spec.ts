import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditEvent } from '../../../src/platform/audit/audit-event.entity.js';
import { PASSWORD, unique } from '../../support/accounts.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { deskUser, type DeskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { createPlayer } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';

let service: TestApp;
let desk: TestDesk;
let support: DeskUser;
let moderator: DeskUser;
let admin: DeskUser;

beforeAll(async () => {
  service = await startApp();
  desk = await startDesk(service);
  support = await deskUser(desk, 'support');
  moderator = await deskUser(desk, 'moderator');
  admin = await deskUser(desk, 'admin');
});
afterAll(async () => {
  await desk.stop();
  await service.stop();
});

const note = 'ticket 811';
const actsOf = (id: number) =>
  service.database.getRepository(AuditEvent).find({
    where: { subject: `player ${id}` },
    order: { id: 'ASC' },
  });

describe('GET /api/players', () => {
  it('finds by game: who has a name in the game, not who keeps the old name reserved', async () => {
    const { id, account } = await createPlayer(service);
    const find = async (q: string) =>
      (await support.get(`/api/players?q=${q}`)).body.data.players.map(
        (player: { id: number }) => player.id,
      );
    expect(await find(`game:${account}`)).toEqual([id]);
    const name = unique('r').slice(0, 20);
    await moderator.post(`/api/players/${id}/rename`, { note, name, game_account: account });
    expect(await find(`name:${account}`)).not.toEqual([id]);
    for (const written of [account, account.toUpperCase(), name])
      expect(await find(`game:${written}`), written).toEqual([id]);
  });
});

describe('GET /api/players/:id', () => {
  it('is audited again after a failover lost the event', async () => {
    const { id } = await createPlayer(service);
    const view = () => admin.get(`/api/players/${id}`);
    await view();
    await service.database.getRepository(AuditEvent).delete({ subject: `player ${id}` });
    await withClockAhead(30, view);
    expect(await actsOf(id)).toMatchObject([{ act: 'desk.view' }]);
  });
});

describe('POST /api/players/:id/:action', () => {
  it('renames with a given game_account', async () => {
    const { id, account } = await createPlayer(service);
    const [name, written] = [unique('r').slice(0, 20), account.toUpperCase()];
    const rename = (game_account: string) =>
      moderator.post(`/api/players/${id}/rename`, { note, name, game_account });
    expect((await rename(name)).body.message).toContain('is not how the game could write');
    const { body } = await rename(written);
    expect(body.data.player).toMatchObject({ account: name, game_account: written });
  });

  it('lets only an admin secure an account through another mailbox', async () => {
    const { id } = await createPlayer(service, { email: `${unique('m')}@mail.example` });
    const email = `${unique('n')}@mail.example`;
    const refused = await moderator.post(`/api/players/${id}/secure`, { note, email });
    expect(refused).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    expect((await support.post(`/api/players/${id}/secure`, { note })).status).toBe(200);
    const { body } = await admin.post(`/api/players/${id}/secure`, { note, email });
    expect(body.data.player).toMatchObject({ email });
  });

  it('ends one session of the player, once, and leaves the others', async () => {
    const { id, account } = await createPlayer(service);
    const { id: other } = await createPlayer(service);
    const login = async (agent: string) => {
      const headers = { 'User-Agent': agent };
      const body = { account, password: PASSWORD };
      return (await service.client.post('/api/login', body, { headers })).body.data.token as string;
    };
    const [lost, kept] = [await login('Lost/1.0'), await login('Kept/1.0')];
    const sessionOf = (token: string) => Number(decodeJwt(token).sid);
    const end = (player: number, session: unknown) =>
      support.post(`/api/players/${player}/end_session`, { note, session });
    expect((await end(other, sessionOf(lost))).body.message).toContain('has ended already');
    for (const bad of [undefined, 0, 1.5, '7', 2 ** 60])
      expect((await end(id, bad)).body.error, String(bad)).toBe('invalid_request');
    const { body } = await end(id, sessionOf(lost));
    expect(body.data.sessions).toMatchObject([{ id: sessionOf(kept) }]);
    const listWith = (token: string) => service.client.get('/api/sessions', { token });
    expect((await listWith(lost)).status).toBe(401);
    expect((await listWith(kept)).status).toBe(200);
    expect(await end(id, sessionOf(lost))).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('has ended already') },
    });
    expect(await actsOf(id)).toMatchObject([
      { act: 'player.end-session', operator: support.name, note, before: { address: '127.0.0.1' } },
    ]);
  });

  it('rejects a missing note and invalid fields', async () => {
    const { id } = await createPlayer(service);
    for (const [act, body] of [
      ['disable', {}],
      ['disable', { note: ' ' }],
      ['disable', { note: 'x'.repeat(1001) }],
      ['disable', { note: { text: 'x' } }],
      ['set_email', { note }],
      ['set_email', { note, email: 'no mailbox' }],
      ['rename', { note, name: ['x'] }],
      ['unlink', { note }],
    ] as const) {
      const answer = await admin.post(`/api/players/${id}/${act}`, body);
      expect(answer, `${act} ${JSON.stringify(body)}`).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
    }
    expect(
      (await admin.post(`/api/players/${id}/unlink`, { note, provider: 'forum' })).status,
    ).toBe(409);
    const shared = await admin.post(`/api/players/${id}/unlock`, { note });
    expect(shared.body.message).toContain('in the memory of each instance');
    expect((await admin.post('/api/players/2000000000/disable', { note })).status).toBe(409);
  });
});
