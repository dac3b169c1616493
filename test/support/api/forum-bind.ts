import { ForumTickets } from '../../../src/features/forum-auth/forum-tickets.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { startApp, type TestApp } from './app.js';
import type { Answer } from './client.js';
import { FORUM } from './profile.js';

export function startForumBindApp(): Promise<TestApp> {
  return startApp({ env: FORUM });
}

/** Returns functions that bind forum identities at the service that `beforeAll` starts. */
export function forumBindRequests(service: () => TestApp) {
  const ticketFor = (connectId: string) => service().app.get(ForumTickets).issue(connectId);
  const bind = (body: object, request = {}): Promise<Answer> =>
    service().client.post('/api/forumauth/bind', body, request);
  const outcomes = (answers: Answer[]) =>
    answers.map(({ body }) => String(body.error ?? 'ok')).toSorted();
  const players = () => service().database.getRepository(Player);
  return { ticketFor, bind, outcomes, players };
}
