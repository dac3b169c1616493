import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type RoutePriority, RoutePriorities } from './route-priorities.js';

const route = (priority: RoutePriority['priority'], isRetriedByKey = false): RoutePriority => ({
  priority,
  waitsOutside: false,
  isRetriedByKey,
});
const priorities = new RoutePriorities([
  ['GET /api/health/live', route('cheap')],
  ['POST /api/login', route('login')],
  ['POST /api/game/withdraw', route('game', true)],
  ['GET /api/game/withdraw', undefined],
  ['GET /api/game/withdraw/:id', route('begun')],
]);
const priorityOf = (method: string, url: string, headers = {}) =>
  priorities.find({ method, url, headers } as IncomingMessage)?.priority ?? 'cheap';

describe('The request priority', () => {
  it.each([
    ['GET', '/api/health/live', 'cheap'],
    ['HEAD', '/api/health/live?x=1', 'cheap'],
    ['GET', '/assets/index.js', 'cheap'],
    ['OPTIONS', '/api/login', 'cheap'],
    ['GET', '/api/game/withdraw/17', 'begun'],
    ['POST', '/api/game/withdraw', 'game'],
    ['POST', '/api/login', 'login'],
    ['GET', '/api/login', 'other'],
    ['GET', '/api/game/withdraw', 'other'],
    ['GET', '/api/game/withdraw/17/more', 'other'],
    ['GET', '/api/nope', 'other'],
  ])('for %s %s is %s', (method, url, expected) => {
    expect(priorityOf(method, url)).toBe(expected);
  });

  it('is "begun" with an idempotency key if the route accepts one', () => {
    const headers = { 'idempotency-key': 'a' };
    expect(priorityOf('POST', '/api/game/withdraw', headers)).toBe('begun');
    expect(priorityOf('POST', '/api/login', headers)).toBe('login');
  });

  it.each(['/API/Login', '/api/login/', '/api/LOGIN/?x'])(
    "ignores the path's case, a trailing slash and the query: %s",
    (url) => {
      expect(priorityOf('POST', url)).toBe('login');
    },
  );

  it('is the lowest for a request target that is not a path', () => {
    expect(priorityOf('GET', 'http://host/api/login')).toBe('other');
  });
});
