import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TabStorage } from '../../../test/support/tab-storage.js';

const DAY = 24 * 3600;
const NOW = Date.parse('2026-01-01T12:00:00Z');
const tokenOf = (claims: object) => `e30.${btoa(JSON.stringify(claims))}.x`;
const answer = {
  token: tokenOf({ account: 'hero', exp: NOW / 1000 + DAY }),
  expires_in: DAY,
};

/** Loads the module again, like a page in the same tab. */
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

describe('A session', () => {
  it.each([
    ['right', 0],
    ['two days ahead', 2 * DAY],
    ['two days behind', -2 * DAY],
  ])('lasts as long as the service says when the clock is %s', async (_, ahead) => {
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

  it('is over when the page is reloaded after the expiry', async () => {
    (await load()).begin(answer, null);
    vi.advanceTimersByTime(DAY * 1000);
    expect((await load()).isAlive()).toBe(false);
  });

  it('survives a clock change while the page is open', async () => {
    const session = await load();
    session.begin(answer, null);
    vi.setSystemTime(NOW + 2 * DAY * 1000);
    expect(session.isAlive()).toBe(true);
  });

  it('from an earlier release without an expiry is left for the service to check', async () => {
    sessionStorage.setItem('CQ-TOKEN', answer.token);
    vi.setSystemTime(NOW + 2 * DAY * 1000);
    expect((await load()).isAlive()).toBe(true);
  });

  it('needs a token that names an account', async () => {
    sessionStorage.setItem('CQ-TOKEN', 'x');
    expect((await load()).isAlive()).toBe(false);
  });
});
