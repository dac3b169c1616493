import type { IncomingMessage } from 'node:http';

/** Highest first: under overload the last one is turned away first. */
export const PRIORITIES = ['begun', 'game', 'login', 'other'] as const;
export type RequestPriority = (typeof PRIORITIES)[number];

export interface RequestKind {
  readonly priority: RequestPriority;
  /** Counted apart, so that a slow game server or mail server does not use up the limit for everybody. */
  readonly waitsOutside: boolean;
}

const kind = (priority: RequestPriority, waitsOutside = false): RequestKind => ({
  priority,
  waitsOutside,
});
const OTHER = kind('other');
const BEGUN_MONEY = kind('begun', true);

// Never turned away: these are answered from memory, or asked by monitoring, and a refusal costs as much.
const CHEAP = new Set([
  '/api/health/live',
  '/api/health/ready',
  '/api/metrics',
  '/api/server/list',
  '/api/config',
  '/api/misc/agree',
  '/api/openapi.json',
]);

const KINDS = new Map<string, RequestKind>([
  // The second half of something that the player has begun at the forum or in the game.
  ['/api/forumauth/callback', kind('begun', true)],
  ['/api/forumauth/bind', kind('begun')],
  ['/api/bind_account', kind('begun')],
  ['/api/session/refresh', kind('begun')],
  ['/api/logout', kind('begun')],
  ['/api/check', kind('game')],
  ['/api/link', kind('game')],
  ['/api/bind', kind('game')],
  ['/api/enter_game', kind('game')],
  ['/api/login', kind('login')],
  ['/api/forumauth/authorize', kind('login')],
  ['/api/session/confirm', kind('login')],
  // These wait for the mail server or a server's game database.
  ['/api/register', kind('other', true)],
  ['/api/send_code', kind('other', true)],
  ['/api/reset_password', kind('other', true)],
  ['/api/account/email', kind('other', true)],
  ['/api/game/roles', kind('other', true)],
]);
const WITHDRAW = '/api/game/withdraw';

/** `undefined` for cheap requests, which are always admitted. Ignores case, as routes do. */
export function classifyRequest({
  method,
  url = '/',
  headers,
}: IncomingMessage): RequestKind | undefined {
  const query = url.indexOf('?');
  const path = (query === -1 ? url : url.slice(0, query)).toLowerCase().replace(/\/$/, '');
  if (CHEAP.has(path) || method === 'OPTIONS') return undefined;
  const known = KINDS.get(path);
  if (known) return known;
  if (path === WITHDRAW && method === 'POST')
    // With a key it may be the retry of a request whose answer was lost.
    return headers['idempotency-key'] === undefined ? kind('game', true) : BEGUN_MONEY;
  if (path.startsWith(`${WITHDRAW}/`)) return BEGUN_MONEY;
  // Other paths are the front end's files. A target that is not a path is refused by the routes.
  return path.startsWith('/api/') || !url.startsWith('/') ? OTHER : undefined;
}
