import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../src/platform/auth/player.entity.js';
import { unique } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import type { Answer } from '../support/api/client.js';
import { createPlayer, tokenOf } from '../support/api/factories.js';
import { signatureHeaders } from '../support/api/callback-signature.js';

const SECRET = 'a-secret-of-the-game-servers';
let service: TestApp;

beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.stop());

const bind = (account: string, connectId: string, more = {}): Promise<Answer> =>
  service.client.post('/api/bind_account', { account, connect_id: connectId, ...more });
const find = (connectId: string) => service.client.get(`/api/link?connect_id=${connectId}`);

describe('POST /api/bind_account', () => {
  it('rejects an unknown account and a disabled one', async () => {
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
  ])('rejects %j', async (change, field) => {
    const answer = await bind('someone', 'id', change);
    expect(answer.body.error).toBe('invalid_request');
    expect(answer.body.details).toMatchObject([{ field }]);
  });
});

describe('GET /api/link', () => {
  it('rejects the identity of a disabled account', async () => {
    const player = await createPlayer(service);
    const connectId = unique('id');
    await bind(player.account, connectId);
    await service.database.getRepository(Player).update(player.id, { disabledAt: new Date() });
    expect((await find(connectId)).body.error).toBe('account_disabled');
  });

  it('rejects a query with no identity or with two identities', async () => {
    for (const query of ['', '?connect_id=', '?connect_id=a&connect_id=b'])
      expect((await service.client.get(`/api/link${query}`)).body.error).toBe('invalid_request');
  });
});

describe('GET /api/bind', () => {
  it('returns an empty list for an account without identities', async () => {
    const token = tokenOf(service, await createPlayer(service));
    expect((await service.client.get('/api/bind', { token })).body.data).toEqual({ bindings: [] });
  });
});

describe('POST /api/bind_account and GET /api/link', () => {
  it('reject callers that are not game servers', async () => {
    const from = '203.0.113.9';
    const posted = await service.client.post('/api/bind_account', {}, { from });
    const asked = await service.client.get('/api/link?connect_id=x', { from });
    expect([posted.body.error, asked.body.error]).toEqual(Array(2).fill('caller_not_allowed'));
  });

  it('require a signature if a secret is configured', async () => {
    const signing = await startApp({ env: { GAME_CALLBACK_SECRET: SECRET } });
    const { account } = await createPlayer(signing);
    const call = (method: string, path: string, body = '', secret = SECRET) =>
      signing.client.send(method, path, {
        body: body || undefined,
        headers: signatureHeaders({ method, path, body, secret }),
      });
    const body = JSON.stringify({ account, connect_id: '10293' });
    expect((await call('POST', '/api/bind_account', body)).status).toBe(200);
    expect((await call('GET', '/api/link?connect_id=10293')).body.data).toEqual({ account });
    const forged = await call('GET', '/api/link?connect_id=10293', '', 'another-secret-altogether');
    expect(forged.body.error).toBe('caller_not_allowed');
    await signing.stop();
  });
});
