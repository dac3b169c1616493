import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditEvent } from '../../../src/platform/audit/audit.entity.js';
import { MailboxUndo } from '../../../src/features/profile/mailbox-undo.service.js';
import { PASSWORD, unique } from '../../support/accounts.js';
import type { TestApp } from '../../support/api/app.js';
import { type DeskUser, type StaffedDesk, startStaffedDesk } from '../../support/api/desk.js';
import { createPlayer } from '../../support/api/factories.js';
import { withClockAhead } from '../../support/api/shift-clock.js';

let staffed: StaffedDesk;
let service: TestApp;
let support: DeskUser;
let moderator: DeskUser;
let admin: DeskUser;

beforeAll(async () => {
  staffed = await startStaffedDesk();
  ({ service, support, moderator, admin } = staffed);
});
afterAll(() => staffed.stop());

const note = 'ticket 811';
const actsOf = (id: number) =>
  service.database.getRepository(AuditEvent).find({
    where: { subject: `player ${id}` },
    order: { id: 'ASC' },
  });

describe('GET /api/players', () => {
  it('with the prefix game: finds only the player who has the name in the game', async () => {
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
  it('is audited again if a failover lost the event', async () => {
    const { id } = await createPlayer(service);
    const view = () => admin.get(`/api/players/${id}`);
    await view();
    await service.database.getRepository(AuditEvent).delete({ subject: `player ${id}` });
    await withClockAhead(30, view);
    expect(await actsOf(id)).toMatchObject([{ act: 'desk.view' }]);
  });
});

describe('POST /api/players/:id/:action', () => {
  it('renames a player with a given game_account', async () => {
    const { id, account } = await createPlayer(service);
    const [name, written] = [unique('r').slice(0, 20), account.toUpperCase()];
    const rename = (game_account: string) =>
      moderator.post(`/api/players/${id}/rename`, { note, name, game_account });
    expect((await rename(name)).body.message).toContain(
      'is not a spelling that the game could use for',
    );
    const { body } = await rename(written);
    expect(body.data.player).toMatchObject({ account: name, game_account: written });
  });

  it('lets only an admin secure an account with another e-mail address', async () => {
    const { id } = await createPlayer(service, { email: `${unique('m')}@mail.example` });
    const email = `${unique('n')}@mail.example`;
    const refused = await moderator.post(`/api/players/${id}/secure`, { note, email });
    expect(refused).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    expect((await support.post(`/api/players/${id}/secure`, { note })).status).toBe(200);
    const { body } = await admin.post(`/api/players/${id}/secure`, { note, email });
    expect(body.data.player).toMatchObject({ email });
  });

  it('shows the e-mail address that a thief replaced only to the role that may enter it', async () => {
    const email = `${unique('owner')}@mail.example`;
    const { id } = await createPlayer(service, { email: `${unique('thief')}@mail.example` });
    const expiresAt = new Date(Date.now() + 3_600_000);
    await service.database
      .getRepository(MailboxUndo)
      .insert({ playerId: id, version: 1, email, expiresAt });
    const seenBy = async ({ get, post }: DeskUser) => {
      const page = (await get(`/api/players/${id}`)).body.data;
      const refusal = (await post(`/api/players/${id}/secure`, { note })).body;
      expect(refusal.error).toBe('act_refused');
      return [page.standing.also[0].detail, /from (\S+):/.exec(refusal.message)?.[1]];
    };
    expect(await seenBy(support)).toEqual(['o•••@mail.example', 'o•••@mail.example']);
    expect(await seenBy(admin)).toEqual([email, email]);
  });

  it('closes an account and exports its data for an admin, under the same rules as the command', async () => {
    const { id, account } = await createPlayer(service, { email: `${unique('m')}@mail.example` });
    const post = (act: string, by = admin) => by.post(`/api/players/${id}/${act}`, { note });
    for (const act of ['close', 'export']) expect((await post(act, moderator)).status).toBe(403);
    const file = await post('export');
    expect(file.headers.get('content-disposition')).toMatch(`filename="player-${id}-`);
    expect(file.body).toMatchObject({ profile: { account }, links: [], withdrawals: [] });

    const columns = 'player_id, server_id, role_server_id, role_id, role_name, amount, created_at';
    await service.database.query(
      `INSERT INTO withdraw (${columns}, status) VALUES (${id}, 1, 1, ${id}, 'hero', 100, '2026-01-01', 'created')`,
    );
    expect((await post('close')).body.message).toContain('has an open withdrawal');
    await service.database.query(
      `UPDATE withdraw SET status = 'failed', settled_at = '2026-01-02' WHERE player_id = ${id}`,
    );
    const { body } = await post('close');
    const days = (Date.parse(body.data.player.closing_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
    expect(body.data.may).toContain('keep');
    expect(body.data.may).not.toContain('close');
    expect((await post('close')).body.message).toContain('is already closing');
    const acts = (await actsOf(id)).filter(({ act }) => act !== 'desk.view');
    expect(acts).toMatchObject(
      ['player.export', 'player.close'].map((act) => ({ act, operator: admin.name, note })),
    );
  });

  it("ends one of the player's sessions, once, and keeps the others", async () => {
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
    expect((await end(other, sessionOf(lost))).body.message).toContain('has already ended');
    for (const bad of [undefined, 0, 1.5, '7', 2 ** 60])
      expect((await end(id, bad)).body.error, String(bad)).toBe('invalid_request');
    const { body } = await end(id, sessionOf(lost));
    expect(body.data.sessions).toMatchObject([{ id: sessionOf(kept) }]);
    const listWith = (token: string) => service.client.get('/api/sessions', { token });
    expect((await listWith(lost)).status).toBe(401);
    expect((await listWith(kept)).status).toBe(200);
    expect(await end(id, sessionOf(lost))).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('has already ended') },
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
