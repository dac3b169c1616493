import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TabStorage } from '../../../test/support/tab-storage.js';

const tokenOf = (account: string, number: number) =>
  `e30.${btoa(JSON.stringify({ account, number }))}.x`;
const body = { server_id: 1, role_id: 2, amount: 100 };
let sent: { token: string | null; key: string | null; body: unknown }[];
let answers: [number, object][];

async function load() {
  const { session } = await import('../session/session');
  session.begin({ token: tokenOf('first', 1), expires_in: 3600 }, null);
  return { session, ...(await import('./client')) };
}

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('sessionStorage', new TabStorage());
  sent = [];
  vi.stubGlobal('fetch', (_: string, request: RequestInit) => {
    const headers = new Headers(request.headers);
    const [token, key] = ['Authorization', 'Idempotency-Key'].map((name) => headers.get(name));
    sent.push({ token: token!, key: key!, body: JSON.parse(request.body as string) });
    const [status, json] = answers.shift()!;
    return Promise.resolve(Response.json(json, { status }));
  });
});
afterEach(() => vi.unstubAllGlobals());

const withdraw = ({ post }: Awaited<ReturnType<typeof load>>) =>
  post('/api/game/withdraw', body, { headers: { 'Idempotency-Key': 'key' } });

describe('The API client', () => {
  it('renews a rejected token and repeats the same request once', async () => {
    const page = await load();
    answers = [
      [401, { error: 'unauthorized' }],
      [200, { data: { id: 7 } }],
    ];
    page.renewBy(async () =>
      page.session.begin({ token: tokenOf('first', 2), expires_in: 3600 }, null),
    );
    expect(await withdraw(page)).toEqual({ id: 7 });
    expect(sent).toEqual(
      [1, 2].map((number) => ({ token: `Bearer ${tokenOf('first', number)}`, key: 'key', body })),
    );
  });

  it("never repeats one account's request after another account has signed in", async () => {
    const page = await load();
    answers = [[401, { error: 'unauthorized' }]];
    page.renewBy(async () =>
      page.session.begin({ token: tokenOf('second', 1), expires_in: 3600 }, null),
    );
    await expect(withdraw(page)).rejects.toMatchObject({ error: 'unauthorized' });
    expect(sent).toHaveLength(1);
    expect(page.session.account).toBe('second');
  });

  it('ends the session if the token cannot be renewed or the account is disabled', async () => {
    for (const error of ['unauthorized', 'account_disabled']) {
      const page = await load();
      answers = [[401, { error }]];
      page.renewBy(() => Promise.resolve(false));
      await expect(withdraw(page)).rejects.toMatchObject({ error });
      expect(page.session.token).toBeNull();
      expect(page.session.ended).toBe(error);
    }
  });

  it('does not renew a token twice for one request', async () => {
    const page = await load();
    answers = [
      [401, { error: 'unauthorized' }],
      [401, { error: 'unauthorized' }],
    ];
    const renew = vi.fn(async () =>
      page.session.begin({ token: tokenOf('first', 2), expires_in: 3600 }, null),
    );
    page.renewBy(renew);
    await expect(withdraw(page)).rejects.toMatchObject({ error: 'unauthorized' });
    expect(renew).toHaveBeenCalledTimes(1);
    expect(page.session.token).toBeNull();
  });
});
