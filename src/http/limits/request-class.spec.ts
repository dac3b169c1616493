import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { kindOf } from './request-class.js';

const classOf = (method: string, url: string, headers = {}) =>
  kindOf({ method, url, headers } as IncomingMessage)?.class ?? 'cheap';

describe('what a request is about', () => {
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
  ])('%s %s is %s', (method, url, expected) => {
    expect(classOf(method, url)).toBe(expected);
  });

  it('takes a withdrawal with a key for one that may be sent again', () => {
    expect(classOf('POST', '/api/game/withdraw', { 'idempotency-key': 'a' })).toBe('begun');
  });

  it.each(['/API/Login', '/api/login/', '/api/LOGIN/?x'])(
    'is not misled by spelling: %s',
    (url) => {
      expect(classOf('POST', url)).toBe('login');
    },
  );

  it('knows no other class for a target that is no path', () => {
    expect(classOf('GET', 'http://host/api/login')).toBe('other');
  });
});
