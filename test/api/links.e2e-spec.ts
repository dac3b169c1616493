import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { Player } from '../../src/platform/auth/player.entity.js';
import { BatchedLookup } from '../../src/platform/database/batched-lookup.js';
import { PlayerLink } from '../../src/features/links/player-link.entity.js';
import { type TestApp, startApp } from '../support/api/app.js';
import type { Answer } from '../support/api/client.js';
import { createPlayer, tokenOf, unique } from '../support/api/factories.js';
import { statementsOfRequests } from '../support/api/request-statements.js';
import { answersInTime, neverMoreThan } from '../support/run/slow-machine.js';

let service: TestApp;

beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.stop());

const bind = (account: string, connectId: string, more = {}): Promise<Answer> =>
  service.client.post('/api/bind_account', { account, connect_id: connectId, ...more });
const find = (connectId: string, more = '') =>
  service.client.get(`/api/link?connect_id=${encodeURIComponent(connectId)}${more}`);
const linksOf = ({ id }: Player) =>
  service.database.getRepository(PlayerLink).findBy({ playerId: id });
const outcomes = (answers: Answer[]) =>
  answers.map(({ body }) => String(body.error ?? 'ok')).toSorted();

describe('POST /api/bind_account', () => {
  it('links an account, named without regard to case, and answers with its own spelling', async () => {
    const player = await createPlayer(service);
    const connectId = unique('id');
    const answer = await bind(player.account.toUpperCase(), connectId);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ account: player.account, connect_id: connectId });
    expect(await linksOf(player)).toMatchObject([{ provider: 'forum', connectId }]);
  });

  it('takes a repeat of the same pair for a success', async () => {
    const { account } = await createPlayer(service);
    const connectId = unique('id');
    const answers = [await bind(account, connectId), await bind(account, connectId)];
    expect(outcomes(answers)).toEqual(['ok', 'ok']);
  });

  it('says which of the two is linked already', async () => {
    const [one, two] = [await createPlayer(service), await createPlayer(service)];
    const [first, second] = [unique('id'), unique('id')];
    await bind(one.account, first);
    expect((await bind(two.account, first)).body.error).toBe('connect_id_taken');
    expect((await bind(one.account, second)).body.error).toBe('account_linked');
    await bind(two.account, second);
    expect((await bind(one.account, second)).body.error).toBe('connect_id_taken');
    expect(await linksOf(one)).toMatchObject([{ connectId: first }]);
  });

  it('keeps the providers apart', async () => {
    const [one, two] = [await createPlayer(service), await createPlayer(service)];
    const connectId = unique('id');
    await bind(one.account, connectId);
    expect((await bind(two.account, connectId, { provider: 'qq' })).status).toBe(200);
    expect((await bind(one.account, unique('id'), { provider: 'qq' })).status).toBe(200);
    expect((await find(connectId, '&provider=qq')).body.data).toEqual({ account: two.account });
    expect((await bind(one.account, connectId, { provider: null })).status).toBe(200);
  });

  it('gives an identity to one of many accounts that ask for it at once', async () => {
    const connectId = unique('id');
    const players = await Promise.all(Array.from({ length: 12 }, () => createPlayer(service)));
    const answers = await answersInTime(
      players.map(({ account }) => bind(account, connectId)),
      neverMoreThan(1),
    );
    expect(outcomes(answers)).toEqual([...Array<string>(11).fill('connect_id_taken'), 'ok']);
  });

  it('gives an account one of many identities that are offered at once', async () => {
    const player = await createPlayer(service);
    const answers = await answersInTime(
      Array.from({ length: 12 }, () => bind(player.account, unique('id'))),
      neverMoreThan(1),
    );
    expect(outcomes(answers)).toEqual([...Array<string>(11).fill('account_linked'), 'ok']);
    expect(await linksOf(player)).toHaveLength(1);
  });

  it('answers ok to all of many that bring the same pair at once', async () => {
    const player = await createPlayer(service);
    const connectId = unique('id');
    const answers = await answersInTime(
      Array.from({ length: 12 }, () => bind(player.account, connectId)),
    );
    expect(outcomes(answers)).toEqual(Array<string>(12).fill('ok'));
    expect(await linksOf(player)).toHaveLength(1);
  });

  it('refuses an account that does not exist, and one that is disabled', async () => {
    expect((await bind('nobody_here', unique('id'))).body.error).toBe('account_not_found');
    const { account } = await createPlayer(service, { disabledAt: new Date() });
    expect((await bind(account, unique('id'))).body.error).toBe('account_disabled');
  });

  it.each([
    [{ account: 7 }, 'account'],
    [{ account: '' }, 'account'],
    [{ connect_id: 7 }, 'connect_id'],
    [{ connect_id: '' }, 'connect_id'],
    [{ connect_id: '7 ' }, 'connect_id'],
    [{ connect_id: 'x'.repeat(129) }, 'connect_id'],
    [{ provider: 'Forum' }, 'provider'],
    [{ provider: 'x'.repeat(33) }, 'provider'],
  ])('refuses %j', async (change, field) => {
    const answer = await bind('someone', 'id', change);
    expect(answer.body.error).toBe('invalid_request');
    expect(answer.body.details).toMatchObject([{ field }]);
  });
});

describe('GET /api/link', () => {
  it('finds the account, and compares the identity exactly', async () => {
    const { account } = await createPlayer(service);
    const connectId = `Ünï/${unique('ID')} 龙🐉`;
    await bind(account, connectId);
    expect((await find(connectId)).body.data).toEqual({ account });
    for (const other of [connectId.toLowerCase(), connectId.normalize('NFD'), `${connectId}x`])
      expect((await find(other)).body.error).toBe('link_not_found');
  });

  it('takes identities of 128 characters', async () => {
    const { account } = await createPlayer(service);
    const connectId = '🐉'.repeat(128);
    expect((await bind(account, connectId)).status).toBe(200);
    expect((await find(connectId)).body.data).toEqual({ account });
  });

  it('opens no disabled account', async () => {
    const player = await createPlayer(service);
    const connectId = unique('id');
    await bind(player.account, connectId);
    await service.database.getRepository(Player).update(player.id, { disabledAt: new Date() });
    expect((await find(connectId)).body.error).toBe('account_disabled');
  });

  it('is never without its account: the links of one that is to be deleted go first', async () => {
    const player = await createPlayer(service);
    const connectId = unique('id');
    await bind(player.account, connectId);
    const players = service.database.getRepository(Player);
    await expect(players.delete(player.id)).rejects.toThrow(/foreign key/i);
    await service.database.getRepository(PlayerLink).delete({ playerId: player.id });
    await players.delete(player.id);
    expect((await find(connectId)).body.error).toBe('link_not_found');
  });

  it('is one statement, by the unique key', async () => {
    const { account } = await createPlayer(service);
    const connectId = unique('id');
    await bind(account, connectId);
    // Private, but on every engine the one way to a link. All else goes through TypeORM.
    const lookups = vi.spyOn(
      BatchedLookup.prototype as unknown as { findAll(): unknown },
      'findAll',
    );
    const statements = await statementsOfRequests(service, async () =>
      expect((await find(connectId)).status).toBe(200),
    );
    const [[asked]] = lookups.mock.calls as unknown as [[[unknown[]]]];
    const { columns, from } = lookups.mock.contexts[0] as Record<string, string>;
    expect(lookups).toHaveBeenCalledTimes(1);
    expect(statements).toHaveLength(inject('database').kind === 'embedded' ? 1 : 0);
    lookups.mockRestore();
    const query = `SELECT ${columns} ${from}`;
    const parameters = asked.flat();
    const explain =
      inject('database').kind === 'embedded'
        ? `EXPLAIN QUERY PLAN ${query}`
        : `EXPLAIN FORMAT=TRADITIONAL ${query}`;
    const plan = JSON.stringify(await service.database.query(explain, parameters));
    expect(plan).toContain('player_connect_identity');
  });

  it('refuses a query that names no identity, or two', async () => {
    for (const query of ['', '?connect_id=', '?connect_id=a&connect_id=b'])
      expect((await service.client.get(`/api/link${query}`)).body.error).toBe('invalid_request');
  });
});

describe('GET /api/bind', () => {
  it("shows the caller's own identities and nobody else's", async () => {
    const player = await createPlayer(service);
    const other = await createPlayer(service);
    const before = Date.now();
    await bind(player.account, unique('id'));
    await bind(other.account, unique('id'));
    await bind(player.account, 'weixin id', { provider: 'weixin' });
    const { body } = await service.client.get('/api/bind', { token: tokenOf(service, player) });
    expect(body.data).toEqual({
      bindings: [
        {
          provider: 'forum',
          connect_id: expect.stringMatching(/^id_/),
          bound_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        },
        { provider: 'weixin', connect_id: 'weixin id', bound_at: expect.any(String) },
      ],
    });
    const boundAt = Date.parse(body.data.bindings[0].bound_at);
    expect(Math.abs(boundAt - before)).toBeLessThan(5000);
  });

  it('is empty for an account without any', async () => {
    const token = tokenOf(service, await createPlayer(service));
    expect((await service.client.get('/api/bind', { token })).body.data).toEqual({ bindings: [] });
  });
});

describe('both callbacks', () => {
  const SECRET = 'a-secret-of-the-game-servers';

  it('are for game servers only', async () => {
    const from = '203.0.113.9';
    const posted = await service.client.post('/api/bind_account', {}, { from });
    const asked = await service.client.get('/api/link?connect_id=x', { from });
    expect([posted.body.error, asked.body.error]).toEqual(Array(2).fill('caller_not_allowed'));
  });

  it('take a signed call, and no other where a secret is set', async () => {
    const signing = await startApp({ env: { GAME_CALLBACK_SECRET: SECRET } });
    const { account } = await createPlayer(signing);
    const call = (method: string, path: string, body = '', secret = SECRET) => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', secret)
        .update(`${timestamp}.${method}.${path}.${body}`)
        .digest('hex');
      return signing.client.send(method, path, {
        body: body || undefined,
        headers: { 'X-Timestamp': timestamp, 'X-Signature': signature },
      });
    };
    const body = JSON.stringify({ account, connect_id: '10293' });
    expect((await call('POST', '/api/bind_account', body)).status).toBe(200);
    expect((await call('GET', '/api/link?connect_id=10293')).body.data).toEqual({ account });
    const forged = await call('GET', '/api/link?connect_id=10293', '', 'another-secret-altogether');
    expect(forged.body.error).toBe('caller_not_allowed');
    await signing.stop();
  });
});
