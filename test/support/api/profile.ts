import { expect } from 'vitest';
import type { Player } from '../../../src/platform/auth/player.entity.js';
import { ForumTickets } from '../../../src/features/forum-auth/forum-tickets.js';
import { PASSWORD, unique } from '../accounts.js';
import type { Answer } from './client.js';
import { type MailApp, startMailApp } from './mail-app.js';
import { ProbeModule } from './probe.js';

export const FORUM = {
  FORUM_AUTHORIZE_URL: 'https://forum.example/authorize',
  FORUM_TOKEN_URL: 'https://forum.example/token',
  FORUM_USERINFO_URL: 'https://forum.example/user',
  FORUM_CLIENT_ID: 'gatehouse',
  FORUM_CLIENT_SECRET: 'secret-of-the-forum',
};
export const RELAXED = {
  rate_limit: { per_minute: 100_000 },
  verify: { per_address_hour: 100_000 },
  login_throttle: { address: { failures: 100_000 } },
};

/** Starts the service with mail, a forum and the probe routes. */
export function startProfileApp(): Promise<MailApp> {
  return startMailApp({ extraModules: [ProbeModule], env: FORUM, settings: RELAXED });
}

/** Returns functions that use the account routes of the service that `beforeAll` starts. */
export function profileRequests(service: () => MailApp) {
  const post = (path: string, body: object, token?: string, request = {}): Promise<Answer> =>
    service().client.post(`/api/${path}`, body, { token, ...request });
  const account = async (token: string) =>
    (await service().client.get('/api/account', { token })).body;
  const me = (token: string) => service().client.get('/api/probe/me', { token });
  const login = (name: string, password = PASSWORD, request = {}) =>
    post('login', { account: name, password }, undefined, request);
  const bind = (connectId: string, more: object = {}, token?: string) =>
    post(
      'forumauth/bind',
      { ticket: service().app.get(ForumTickets).issue(connectId), ...more },
      token,
    );

  async function tokenFor(player: Player, request = {}): Promise<string> {
    return (await login(player.account, PASSWORD, request)).body.data.token;
  }

  async function codeFor(email: string): Promise<string> {
    expect((await post('send_code', { email })).status).toBe(200);
    return service().mail.codeFor(email);
  }

  async function fromTheForum(): Promise<{ token: string; name: string; connectId: string }> {
    const connectId = unique('person');
    const { token, account: name } = (await bind(connectId)).body.data;
    return { token, name, connectId };
  }

  return { post, account, me, login, bind, tokenFor, codeFor, fromTheForum };
}
