import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { classifyRequest } from './request-priority.js';

const priorityOf = (method: string, url: string, headers = {}) =>
  classifyRequest({ method, url, headers } as IncomingMessage)?.priority ?? 'cheap';

describe('The priority of a request', () => {
  it.each([
    ['GET', '/api/health/live', 'cheap'],
    ['GET', '/api/health/ready?x=1', 'cheap'],
    ['GET', '/api/metrics', 'cheap'],
    ['GET', '/api/server/list', 'cheap'],
    ['GET', '/assets/index.js', 'cheap'],
    ['OPTIONS', '/api/login', 'cheap'],
    ['GET', '/api/forumauth/callback?code=1&state=2', 'begun'],
    ['GET', '/api/game/withdraw/17', 'begun'],
    ['GET', '/api/check?account=a&token=b', 'game'],
    ['POST', '/api/enter_game', 'game'],
    ['POST', '/api/game/withdraw', 'game'],
    ['POST', '/api/login', 'login'],
    ['POST', '/api/register', 'other'],
    ['GET', '/api/game/withdraw', 'other'],
    ['GET', '/api/nope', 'other'],
  ])('for %s %s is %s', (method, url, expected) => {
    expect(priorityOf(method, url)).toBe(expected);
  });

  it('is "begun" for a withdrawal with an idempotency key', () => {
    expect(priorityOf('POST', '/api/game/withdraw', { 'idempotency-key': 'a' })).toBe('begun');
  });

  it.each(['/API/Login', '/api/login/', '/api/LOGIN/?x'])(
    'does not depend on case, a trailing slash or the query: %s',
    (url) => {
      expect(priorityOf('POST', url)).toBe('login');
    },
  );

  it('is the lowest for a target that is not a path', () => {
    expect(priorityOf('GET', 'http://host/api/login')).toBe('other');
  });
});
