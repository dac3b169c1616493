import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { effectScope } from 'vue';
import { TabStorage } from '../../../test/support/tab-storage.js';

const CLOSED = Response.json({ error: 'server_unavailable' }, { status: 409 });
const seen = { roleName: 'Knight', serverName: 'Valley' };
const tokenOf = (account: string) => `e30.${btoa(JSON.stringify({ account }))}.x`;

let answer: () => Promise<Response>;
const keys: (string | null)[] = [];
const loseRequest = () => Promise.reject(new TypeError('Failed to fetch'));
const refuse = () => Promise.resolve(CLOSED.clone());

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal('sessionStorage', new TabStorage());
  vi.stubGlobal('fetch', (_: string, { headers }: RequestInit) => {
    keys.push(new Headers(headers).get('Idempotency-Key'));
    return answer();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("useWithdrawal treats a repeated withdrawal's rejection as final once no lost request can arrive", async () => {
  const { session } = await import('../session/session');
  const { useWithdrawal } = await import('./use-withdrawal');
  const { keptAttempt } = await import('./attempt');
  session.begin({ token: tokenOf('hero'), expires_in: 3600 }, null);
  const page = effectScope();
  const withdrawal = page.run(() => useWithdrawal(() => undefined))!;
  const startedAt = Date.now();
  const phaseAfter = async (seconds: number, how: () => Promise<Response>) => {
    vi.setSystemTime(startedAt + seconds * 1000);
    answer = how;
    await withdrawal.send();
    return withdrawal.phase.value;
  };

  answer = loseRequest;
  await withdrawal.start({ server_id: 1, role_id: 2, amount: 100 }, seen);
  expect(await phaseAfter(170, loseRequest)).toBe('open');
  // This is 181 seconds after the first request, but only 11 after the second one.
  expect(await phaseAfter(181, refuse)).toBe('open');
  expect(keptAttempt('hero')).toBeDefined();
  expect(await phaseAfter(351, refuse)).toBe('refused');
  expect(keptAttempt('hero')).toBeUndefined();
  expect(new Set(keys).size).toBe(1);
  page.stop();
});
