import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { BatchedLookup } from '../../../src/platform/database/batcher.js';
import { PlayerLink } from '../../../src/features/links/player-link.entity.js';
import { unique } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import type { Answer } from '../../support/api/client.js';
import { signatureHeaders } from '../../support/api/callback-signature.js';
import { createPlayer, tokenOf } from '../../support/api/factories.js';
import { statementsOfRequests } from '../../support/api/request-statements.js';
import { inParallel } from '../../support/api/parallel.js';

const embedded = inject('database').kind === 'embedded';
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
  it('finds the account regardless of case and returns the stored spelling', async () => {
    const player = await createPlayer(service);
    const connectId = unique('id');
    const answer = await bind(player.account.toUpperCase(), connectId);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ account: player.account, connect_id: connectId });
    expect(await linksOf(player)).toMatchObject([{ provider: 'forum', connectId }]);
  });

  it('links a renamed player by the name in the game, which a disabled account still reserves', async () => {
    const inGame = unique('Old');
    const renamed = await createPlayer(service, { gameAccount: inGame });
    const reserved = await createPlayer(service, { account: inGame, disabledAt: new Date() });
    const connectId = unique('id');
    const { body } = await bind(inGame, connectId);
    expect(body.data).toEqual({ account: inGame, connect_id: connectId });
    expect(await linksOf(renamed)).toMatchObject([{ connectId }]);
    expect(await linksOf(reserved)).toEqual([]);
    // The game compares names byte for byte.
    expect((await bind(inGame.toLowerCase(), connectId)).body.error).toBe('account_disabled');
    expect((await bind(renamed.account, connectId)).status).toBe(200);
  });

  it('accepts the same account and identity again', async () => {
    const { account } = await createPlayer(service);
    const connectId = unique('id');
    const answers = [await bind(account, connectId), await bind(account, connectId)];
    expect(outcomes(answers)).toEqual(['ok', 'ok']);
  });

  it('reports whether the identity or the account is already linked', async () => {
    const [one, two] = [await createPlayer(service), await createPlayer(service)];
    const [first, second] = [unique('id'), unique('id')];
    await bind(one.account, first);
    expect((await bind(two.account, first)).body.error).toBe('connect_id_taken');
    expect((await bind(one.account, second)).body.error).toBe('account_linked');
    await bind(two.account, second);
    expect((await bind(one.account, second)).body.error).toBe('connect_id_taken');
    expect(await linksOf(one)).toMatchObject([{ connectId: first }]);
  });

  it('keeps identities from different providers apart', async () => {
    const [one, two] = [await createPlayer(service), await createPlayer(service)];
    const connectId = unique('id');
    await bind(one.account, connectId);
    expect((await bind(two.account, connectId, { provider: 'qq' })).status).toBe(200);
    expect((await bind(one.account, unique('id'), { provider: 'qq' })).status).toBe(200);
    expect((await find(connectId, '&provider=qq')).body.data).toEqual({ account: two.account });
    expect((await bind(one.account, connectId, { provider: null })).status).toBe(200);
  });

  it('links an identity to only one account in parallel requests', async () => {
    const connectId = unique('id');
    const players = await inParallel(() => createPlayer(service));
    const answers = await inParallel((index) => bind(players[index]!.account, connectId));
    expect(outcomes(answers)).toEqual([...Array<string>(7).fill('connect_id_taken'), 'ok']);
  });

  it('links only one identity to an account in parallel requests', async () => {
    const player = await createPlayer(service);
    const answers = await inParallel(() => bind(player.account, unique('id')));
    expect(outcomes(answers)).toEqual([...Array<string>(7).fill('account_linked'), 'ok']);
    expect(await linksOf(player)).toHaveLength(1);
  });

  it('accepts the same account and identity in parallel requests and links them once', async () => {
    const player = await createPlayer(service);
    const connectId = unique('id');
    const answers = await inParallel(() => bind(player.account, connectId));
    expect(outcomes(answers)).toEqual(Array<string>(8).fill('ok'));
    expect(await linksOf(player)).toHaveLength(1);
  });
});

describe('GET /api/link', () => {
  it('finds the account by the exact identity', async () => {
    const { account } = await createPlayer(service);
    const connectId = `Ünï/${unique('ID')} 龙🐉`;
    await bind(account, connectId);
    expect((await find(connectId)).body.data).toEqual({ account });
    for (const other of [connectId.toLowerCase(), connectId.normalize('NFD'), `${connectId}x`])
      expect((await find(other)).body.error).toBe('link_not_found');
  });

  it('finds an identity of 128 characters', async () => {
    const { account } = await createPlayer(service);
    const connectId = '🐉'.repeat(128);
    expect((await bind(account, connectId)).status).toBe(200);
    expect((await find(connectId)).body.data).toEqual({ account });
  });

  it('never finds a deleted player, because the table prevents deleting a linked player', async () => {
    const player = await createPlayer(service);
    const connectId = unique('id');
    await bind(player.account, connectId);
    const players = service.database.getRepository(Player);
    await expect(players.delete(player.id)).rejects.toThrow(/foreign key/i);
    await service.database.getRepository(PlayerLink).delete({ playerId: player.id });
    await players.delete(player.id);
    expect((await find(connectId)).body.error).toBe('link_not_found');
  });

  it('runs one statement, which uses the unique key', async () => {
    const { account } = await createPlayer(service);
    const connectId = unique('id');
    await bind(account, connectId);
    // This method is private, but links are read through it on every database.
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
    expect(statements).toHaveLength(embedded ? 1 : 0);
    lookups.mockRestore();
    const query = `SELECT ${columns} ${from}`;
    const parameters = asked.flat();
    const explain = embedded
      ? `EXPLAIN QUERY PLAN ${query}`
      : `EXPLAIN FORMAT=TRADITIONAL ${query}`;
    const plan = JSON.stringify(await service.database.query(explain, parameters));
    expect(plan).toContain('player_connect_identity');
  });
});

describe('GET /api/bind', () => {
  it("returns only the caller's own identities", async () => {
    const player = await createPlayer(service);
    const other = await createPlayer(service);
    await bind(player.account, unique('id'));
    await bind(other.account, unique('id'));
    await bind(player.account, 'weixin id', { provider: 'weixin' });
    const { body } = await service.client.get('/api/bind', { token: tokenOf(service, player) });
    expect(body.data).toEqual({
      bindings: [
        {
          provider: 'forum',
          connect_id: expect.stringMatching(/^id_/),
          name: null,
          bound_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        },
        {
          provider: 'weixin',
          connect_id: 'weixin id',
          name: null,
          bound_at: expect.any(String),
        },
      ],
    });
    const boundAt = Date.parse(body.data.bindings[0].bound_at);
    expect(Math.abs(boundAt - Date.now())).toBeLessThan(600_000);
  });
});

describe('A signed POST /api/bind_account', () => {
  const secret = 'a-secret-of-the-game-servers';
  const path = '/api/bind_account';
  let signing: TestApp;

  beforeAll(async () => {
    signing = await startApp({ env: { GAME_CALLBACK_SECRET: secret } });
  });
  afterAll(() => signing.stop());

  const linkOnce = async () => {
    const player = await createPlayer(signing);
    const body = JSON.stringify({ account: player.account, connect_id: unique('id') });
    const sign = (time?: number) => signatureHeaders({ method: 'POST', path, body, secret, time });
    const send = (headers: Record<string, string>) => signing.client.post(path, body, { headers });
    const links = signing.database.getRepository(PlayerLink);
    const isLinked = () => links.existsBy({ playerId: player.id });
    const unlink = () => links.delete({ playerId: player.id });
    return { sign, send, isLinked, unlink };
  };

  it('succeeds again while the link exists, even in parallel', async () => {
    const { sign, send } = await linkOnce();
    const signed = sign();
    const answers = await inParallel(() => send(signed));
    expect(outcomes(answers)).toEqual(Array(8).fill('ok'));
  });

  it('does not restore a link that was removed since', async () => {
    const { sign, send, isLinked, unlink } = await linkOnce();
    const now = Math.floor(Date.now() / 1000);
    const signed = sign(now);
    expect((await send(signed)).status).toBe(200);
    await unlink();
    const upperCase = { ...signed, 'X-Signature': signed['X-Signature'].toUpperCase() };
    for (const replayed of [signed, upperCase])
      expect((await send(replayed)).body.error).toBe('caller_not_allowed');
    expect(await isLinked()).toBe(false);
    expect((await send(sign(now + 1))).status).toBe(200);
    expect(await isLinked()).toBe(true);
  });
});
