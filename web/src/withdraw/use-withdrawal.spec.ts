import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { effectScope } from 'vue';
import { TabStorage } from '../../../test/support/tab-storage.js';

const body = { server_id: 1, role_id: 2, amount: 100 };
const seen = { roleName: 'Knight', serverName: 'Valley', newestBefore: 5 };
const tokenOf = (account: string) => `e30.${btoa(JSON.stringify({ account }))}.x`;
const sessionOf = (account: string) => ({ token: tokenOf(account), expires_in: 3600 });
const UNKNOWN = { id: 7, status: 'unknown' };

let requests: {
  token: string | null;
  key: string | null;
  method: string;
  answer: (status: number, body: object) => void;
}[];

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal('sessionStorage', new TabStorage());
  requests = [];
  vi.stubGlobal('fetch', (_: string, { headers, method = 'GET' }: RequestInit) => {
    const [token, key] = ['Authorization', 'Idempotency-Key'].map((name) =>
      new Headers(headers).get(name),
    );
    return new Promise<Response>((resolve) => {
      const answer = (status: number, json: object) => resolve(Response.json(json, { status }));
      requests.push({ token: token!, key: key!, method, answer });
    });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('useWithdrawal', () => {
  it.each([
    ['is being checked', 200, { data: UNKNOWN }],
    ['is still in progress', 409, { error: 'idempotency_conflict' }],
  ])(
    'keeps the key of a withdrawal that %s, and sends nothing, if another account signs in before the response',
    async (_, status, json) => {
      const { session } = await import('../session/session');
      const { useWithdrawal } = await import('./use-withdrawal');
      const { keptAttempt } = await import('./attempt');
      session.begin(sessionOf('first'), null);
      const page = effectScope();
      const sent = page.run(() => useWithdrawal(() => undefined))!.start(body, seen);
      const { key } = keptAttempt('first')!;

      page.stop();
      session.begin(sessionOf('second'), null);
      requests[0]!.answer(status, json);
      await sent;
      await vi.advanceTimersByTimeAsync(60_000);
      expect(requests.map(({ token }) => token)).toEqual([`Bearer ${tokenOf('first')}`]);
      expect(keptAttempt('first')?.key).toBe(key);
    },
  );

  it('repeats a request without a response under the same idempotency key', async () => {
    const { session } = await import('../session/session');
    const { useWithdrawal } = await import('./use-withdrawal');
    session.begin(sessionOf('first'), null);
    const page = effectScope();
    const withdrawal = page.run(() => useWithdrawal(() => undefined))!;
    const sent = withdrawal.start(body, seen);
    requests[0]!.answer(500, { error: 'internal_error' });
    await sent;
    expect(withdrawal.phase.value).toBe('open');
    void withdrawal.send();
    page.stop();
    expect(requests.map(({ key }) => key)).toEqual([
      withdrawal.attempt.value!.key,
      withdrawal.attempt.value!.key,
    ]);
  });

  it.each([
    ['that is newer and has the same hero and amount', { id: 6 }, 'settled'],
    ['that is not newer', { id: 5 }, 'open'],
    ['for another hero', { id: 6, role_id: 3 }, 'open'],
    ['on another server', { id: 6, server_id: 2 }, 'open'],
    ['of another amount', { id: 6, amount: 101 }, 'open'],
  ])(
    'checks the status of a lost request only by reading the list, which contains a withdrawal %s',
    async (_, differences, phase) => {
      const { session } = await import('../session/session');
      const { useWithdrawal } = await import('./use-withdrawal');
      session.begin(sessionOf('first'), null);
      const page = effectScope();
      const withdrawal = page.run(() => useWithdrawal(() => undefined))!;
      const sent = withdrawal.start(body, seen);
      requests[0]!.answer(500, { error: 'internal_error' });
      await sent;
      const checked = withdrawal.checkStatus();
      const stored = { ...body, status: 'succeeded', ...differences };
      requests[1]!.answer(200, { data: { withdrawals: [stored] } });
      await checked;
      page.stop();
      expect(withdrawal.phase.value).toBe(phase);
      expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
    },
  );

  it('returns to the form if the player does not confirm, and keeps no request meanwhile', async () => {
    const { session } = await import('../session/session');
    const { useWithdrawal } = await import('./use-withdrawal');
    const { keptAttempt } = await import('./attempt');
    const { draft } = await import('./draft');
    session.begin(sessionOf('first'), null);
    const page = effectScope();
    const withdrawal = page.run(() => useWithdrawal(() => undefined))!;
    const sent = withdrawal.start(body, seen);
    expect(keptAttempt('first')).toBeDefined();
    requests[0]!.answer(401, { error: 'sign_in_again' });
    await vi.waitUntil(() => withdrawal.confirmation.isAsked.value);
    // The service refused the request, so a player who leaves now must not be told that it is open.
    expect(keptAttempt('first')).toBeUndefined();
    withdrawal.confirmation.settle(false);
    await sent;
    page.stop();
    expect(withdrawal.phase.value).toBe('form');
    expect(withdrawal.refusal.value).toBeNull();
    expect(draft.take('first')?.body).toEqual(body);
  });

  it('stays open if the player does not confirm the repetition of a request without a response', async () => {
    const { session } = await import('../session/session');
    const { useWithdrawal } = await import('./use-withdrawal');
    const { keptAttempt } = await import('./attempt');
    session.begin(sessionOf('first'), null);
    const page = effectScope();
    const withdrawal = page.run(() => useWithdrawal(() => undefined))!;
    const lost = withdrawal.start(body, seen);
    requests[0]!.answer(500, { error: 'internal_error' });
    await lost;
    const { unansweredAt } = keptAttempt('first')!;
    await vi.advanceTimersByTimeAsync(1000);
    const repeated = withdrawal.send();
    requests[1]!.answer(401, { error: 'sign_in_again' });
    await vi.waitUntil(() => withdrawal.confirmation.isAsked.value);
    withdrawal.confirmation.settle(false);
    await repeated;
    page.stop();
    expect(withdrawal.phase.value).toBe('open');
    expect(keptAttempt('first')?.unansweredAt).toBe(unansweredAt);
  });

  it('forgets only the attempt of the account whose request was answered', async () => {
    const { session } = await import('../session/session');
    const { useWithdrawal } = await import('./use-withdrawal');
    const { keptAttempt } = await import('./attempt');
    const start = (account: string) => {
      session.begin(sessionOf(account), null);
      const page = effectScope();
      const sent = page.run(() => useWithdrawal(() => undefined))!.start(body, seen);
      page.stop();
      return sent;
    };
    const first = start('first');
    void start('second');
    requests[0]!.answer(200, { data: { id: 7, status: 'succeeded' } });
    await first;
    expect(keptAttempt('first')).toBeUndefined();
    expect(keptAttempt('second')).toBeDefined();
  });
});
