import type { IncomingMessage } from 'node:http';

/** From the last to be turned away to the first. */
export const CLASSES = ['begun', 'game', 'login', 'other'] as const;
export type RequestClass = (typeof CLASSES)[number];

/** Who calls an outside server on the way is counted apart: a game server that is slow must not shut the others out. */
export interface Kind {
  readonly class: RequestClass;
  readonly waitsOutside: boolean;
}

const kind = (of: RequestClass, waitsOutside = false): Kind => ({ class: of, waitsOutside });
const OTHER = kind('other');
const BEGUN_MONEY = kind('begun', true);

// Answered from memory, or asked by those who watch over us: never turned away, since a refusal costs as much.
const CHEAP = new Set([
  '/api/health/live',
  '/api/health/ready',
  '/api/metrics',
  '/api/server/list',
  '/api/config',
  '/api/misc/agree',
  '/api/openapi.json',
]);

const KINDS = new Map<string, Kind>([
  // The player was sent to the forum, or has changed his link in the game: this is the second half of it.
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
  // These wait for the mail server or a zone's database.
  ['/api/register', kind('other', true)],
  ['/api/send_code', kind('other', true)],
  ['/api/reset_password', kind('other', true)],
  ['/api/account/email', kind('other', true)],
  ['/api/game/roles', kind('other', true)],
]);
const WITHDRAW = '/api/game/withdraw';

/** `undefined`: it is cheap, and always taken. Routes match without regard to case, and so does this. */
export function kindOf({ method, url = '/', headers }: IncomingMessage): Kind | undefined {
  const query = url.indexOf('?');
  const path = (query === -1 ? url : url.slice(0, query)).toLowerCase().replace(/\/$/, '');
  if (CHEAP.has(path) || method === 'OPTIONS') return undefined;
  const known = KINDS.get(path);
  if (known) return known;
  if (path === WITHDRAW && method === 'POST')
    // With a key it may be sent again, because the answer to the first was lost.
    return headers['idempotency-key'] === undefined ? kind('game', true) : BEGUN_MONEY;
  if (path.startsWith(`${WITHDRAW}/`)) return BEGUN_MONEY;
  // The front end's files. A target that is no path is for the routes to refuse.
  return path.startsWith('/api/') || !url.startsWith('/') ? OTHER : undefined;
}
