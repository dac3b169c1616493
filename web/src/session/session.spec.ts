import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TabStorage } from '../../../test/support/tab-storage.js';

const DAY = 24 * 3600;
// The service's clock at the start of each test.
const NOW = Date.parse('2026-01-01T12:00:00Z');
const tokenOf = (claims: object) => `e30.${btoa(JSON.stringify(claims))}.x`;
const answer = {
  token: tokenOf({ account: 'hero', exp: NOW / 1000 + DAY }),
  expires_in: DAY,
};

/** As a page that is loaded in the same tab. */
async function load() {
  vi.resetModules();
  return (await import('./session')).session;
}

beforeEach(() => {
  vi.stubGlobal('sessionStorage', new TabStorage());
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  ['right', 0],
  ['two days ahead', 2 * DAY],
  ['two days behind', -2 * DAY],
])('a session lasts as long as the service says, by a clock that is %s', async (_, ahead) => {
  vi.setSystemTime(NOW + ahead * 1000);
  let session = await load();
  session.begin(answer, null);
  expect(session.isAlive()).toBe(true);
  vi.advanceTimersByTime((DAY - 60) * 1000);
  expect(session.isAlive()).toBe(true);
  session = await load();
  expect(session.isAlive()).toBe(true);
  expect(session.account).toBe('hero');

  vi.advanceTimersByTime(60_000);
  expect(session.isAlive()).toBe(false);
  expect(session.ended).toBe('unauthorized');
  expect(sessionStorage).toHaveLength(0);
});

it('a session whose page is reloaded after its end is over', async () => {
  (await load()).begin(answer, null);
  vi.advanceTimersByTime(DAY * 1000);
  expect((await load()).isAlive()).toBe(false);
});

it('a session outlives a clock that is put forward while the page is open', async () => {
  const session = await load();
  session.begin(answer, null);
  vi.setSystemTime(NOW + 2 * DAY * 1000);
  expect(session.isAlive()).toBe(true);
});

it('a session of an earlier release, of which only the token is stored, is left to the service', async () => {
  sessionStorage.setItem('CQ-TOKEN', answer.token);
  vi.setSystemTime(NOW + 2 * DAY * 1000);
  expect((await load()).isAlive()).toBe(true);
});

it('a token that names no account is no session', async () => {
  sessionStorage.setItem('CQ-TOKEN', 'x');
  expect((await load()).isAlive()).toBe(false);
});
