import { expect } from 'vitest';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { Session } from '../../../src/platform/auth/session.entity.js';
import { PASSWORD } from '../accounts.js';
import { startApp, type TestApp } from './app.js';
import { BrowserSession } from './browser-session.js';
import { createPlayer } from './factories.js';
import { ProbeModule } from './probe.js';

export const SESSIONS_SETTINGS = { rate_limit: { per_minute: 100_000 } };

export function startSessionsApp(): Promise<TestApp> {
  return startApp({
    extraModules: [ProbeModule],
    settings: SESSIONS_SETTINGS,
  });
}

/** Returns functions that sign players in to the service that `beforeAll` starts, and list their sessions. */
export function sessionRequests(service: () => TestApp) {
  const me = (token: string) => service().client.get('/api/probe/me', { token });
  const list = async (token: string) =>
    (await service().client.get('/api/sessions', { token })).body.data.sessions;
  const sessions = () => service().database.getRepository(Session);

  async function signedIn(): Promise<{ player: Player; browser: BrowserSession }> {
    const player = await createPlayer(service());
    const browser = BrowserSession.of(service());
    expect((await browser.signIn(player.account, PASSWORD)).status).toBe(200);
    return { player, browser };
  }

  async function login({ account }: Player, request = {}): Promise<string> {
    const body = { account, password: PASSWORD };
    return (await service().client.post('/api/login', body, request)).body.data.token;
  }

  return { me, list, sessions, signedIn, login };
}
