// The hot paths: what is asked, what a right answer shows, and how fast it must be against the floor.
import { createSecretKey, hash } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { accountOf, passwordOf, ZONES } from './fill.mjs';
import { GAME_SERVER_ADDRESS, SECRETS } from './stage.mjs';

const PLAYERS_ASKED_FOR = 10_000;
const key = createSecretKey(Buffer.from(SECRETS.JWT_SECRET));

const get = (path, headers = {}) => ({ method: 'GET', path, headers });
const post = (path, body, headers = {}) => ({
  method: 'POST',
  path,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const zoneOf = (id) => (id % ZONES) + 1;
const hashOf = (id) => hash('md5', passwordOf(id) + SECRETS.PASSWORD_KEY);

function tokenOf(id) {
  const claims = { sub: String(id), account: accountOf(id), ver: 0 };
  return jwt.sign(claims, key, { algorithm: 'HS256', expiresIn: '1d', issuer: 'gatehouse' });
}

/**
 * `bar`: how many times as fast as the floor it must be, where that is laid down. `chat`: how many records each side
 * is given in a report, 0 for a lone one.
 */
export const SCENARIOS = [
  {
    name: `server list, ${ZONES} zones`,
    bar: 2,
    request: () => get('/api/server/list'),
    isRight: ({ servers }) => servers.length === ZONES && servers[6].id === 7,
  },
  {
    name: 'check by md5',
    bar: 0.75,
    request: (id) => get(`/api/check?account=${accountOf(id)}&token=${hashOf(id)}`),
    isRight: ({ account, format }, id) => account === accountOf(id) && format === 'md5',
  },
  {
    name: 'check by JWT',
    request: (id) => get(`/api/check?account=${accountOf(id)}&token=${tokenOf(id)}`),
    isRight: ({ account, format }, id) => account === accountOf(id) && format === 'jwt',
  },
  {
    name: 'login',
    bar: 0.75,
    request: (id) => post('/api/login', { account: accountOf(id), password: passwordOf(id) }),
    isRight: ({ token }, id) => jwt.verify(token, key).sub === String(id),
  },
  {
    name: 'enter_game',
    bar: 0.75,
    request: (id) =>
      post(
        '/api/enter_game',
        { server_id: zoneOf(id) },
        { Authorization: `Bearer ${tokenOf(id)}` },
      ),
    isRight: ({ account, server }, id) => account === accountOf(id) && server.id === zoneOf(id),
  },
  {
    name: 'link',
    request: (id) => get(`/api/link?connect_id=${id}`, { 'X-Forwarded-For': GAME_SERVER_ADDRESS }),
    isRight: ({ account }, id) => account === accountOf(id),
  },
  { name: 'chat, one record', chat: { floor: 0, service: 0 } },
  // The floor takes one record at a time: what is compared is records, not requests.
  { name: 'chat, 100 records', bar: 20, chat: { floor: 0, service: 100 } },
];

/** Players from all over the table, the same in each run. */
export function playersAskedFor(players) {
  const count = Math.min(players, PLAYERS_ASKED_FOR);
  return Array.from({ length: count }, (_, place) => ((place * 7_919_777) % players) + 1);
}

/** A request as it goes over the wire. */
export function toWire({ method, path, headers, body = '' }) {
  const all = {
    Host: 'bench',
    ...headers,
    ...(body && { 'Content-Length': Buffer.byteLength(body) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
