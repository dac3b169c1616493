// Defines the hot paths, each with a request, a check of its response, and limits (`bars`).
import { createSecretKey, hash } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { WITHDRAWALS_EACH } from './fill.mjs';
import { accountOf, passwordOf, SERVERS } from './population.mjs';
import { GAME_SERVER_ADDRESS, SECRETS } from './stage.mjs';

const WITHDRAWAL_SERVER = 1;
const key = createSecretKey(Buffer.from(SECRETS.JWT_SECRET));
const tokens = new Map();

const get = (path, headers = {}) => ({ method: 'GET', path, headers });
const post = (path, body, headers = {}) => ({
  method: 'POST',
  path,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const serverOf = (id) => (id % SERVERS) + 1;
const hashOf = (id) => hash('md5', passwordOf(id) + SECRETS.PASSWORD_KEY);
const as = (id) => ({ Authorization: `Bearer ${tokenOf(id)}` });

function tokenOf(id) {
  const claims = { sub: String(id), account: accountOf(id), ver: 0, sid: id };
  const options = { algorithm: 'HS256', expiresIn: '1d', issuer: 'gatehouse' };
  if (!tokens.has(id)) tokens.set(id, jwt.sign(claims, key, options));
  return tokens.get(id);
}

const CLOSE_TO_FLOOR = { rate: 0.9 };

/**
 * A path may have these properties:
 * - `bars`: the minimum `rate` as a multiple of the floor's rate, and the maximum CPU time in `microseconds`
 * - `script`: the wrk script (default: replay.lua), and its `args`
 * - `inserts`: the table into which the path inserts its records
 * - `records`: the number of records per request, by side
 */
export const SERVER_LIST = {
  name: 'server list',
  bars: { rate: 3.5 },
  request: () => get('/api/server/list'),
  isCorrect: ({ data }, id, { servers }) =>
    data.servers.length === servers && data.servers[6].id === 7,
};
export const CHECK_MD5 = {
  name: 'check by md5',
  bars: CLOSE_TO_FLOOR,
  request: (id) => get(`/api/check?account=${accountOf(id)}&token=${hashOf(id)}`),
  isCorrect: ({ data: { account, format } }, id) => account === accountOf(id) && format === 'md5',
};
export const CHECK_JWT = {
  name: 'check by JWT',
  request: (id) => get(`/api/check?account=${accountOf(id)}&token=${tokenOf(id)}`),
  isCorrect: ({ data: { account, format } }, id) => account === accountOf(id) && format === 'jwt',
};
export const LOGIN = {
  name: 'login',
  bars: CLOSE_TO_FLOOR,
  request: (id) => post('/api/login', { account: accountOf(id), password: passwordOf(id) }),
  isCorrect: ({ data: { token } }, id) => jwt.verify(token, key).sub === String(id),
};
export const WRONG_LOGIN = {
  name: 'login, wrong password',
  script: 'guesses.lua',
  args: ({ sent, players }) => [sent, players],
  request: (id) => post('/api/login', { account: accountOf(id), password: 'a guess' }),
  status: 401,
  isCorrect: ({ error }) => error === 'bad_credentials',
};
export const ENTER_GAME = {
  name: 'enter_game',
  bars: CLOSE_TO_FLOOR,
  request: (id) => post('/api/enter_game', { server_id: serverOf(id) }, as(id)),
  isCorrect: ({ data: { account, server } }, id) =>
    account === accountOf(id) && server.id === serverOf(id),
};
export const LINK = {
  name: 'link',
  bars: CLOSE_TO_FLOOR,
  request: (id) => get(`/api/link?connect_id=${id}`, { 'X-Forwarded-For': GAME_SERVER_ADDRESS }),
  isCorrect: ({ data: { account } }, id) => account === accountOf(id),
};
const CHAT_ONE = {
  name: 'chat, one record',
  script: 'chat.lua',
  args: ({ run }) => [0, run],
  inserts: 'chat',
};
// The comparison counts records, because the floor accepts one record per request.
export const CHAT_BATCH = {
  name: 'chat, 100 records',
  bars: { rate: 8 },
  script: 'chat.lua',
  args: ({ run, side }) => [side === 'floor' ? 0 : 100, run],
  inserts: 'chat',
  records: (side) => (side === 'floor' ? 1 : 100),
};
export const WITHDRAW = {
  name: 'withdraw',
  bars: { rate: 0.35, microseconds: 4000 },
  request: (id) => {
    const body = { server_id: WITHDRAWAL_SERVER, role_id: id, amount: 100 };
    return post('/api/game/withdraw', body, as(id));
  },
  isCorrect: ({ data: { status, role_id } }, id) => status === 'succeeded' && role_id === id,
  inserts: "withdraw WHERE status = 'succeeded'",
};
export const ROLES = {
  name: 'roles',
  request: (id) => get(`/api/game/roles?server_id=${WITHDRAWAL_SERVER}`, as(id)),
  isCorrect: ({ data: { roles } }, id) => roles.length === 1 && roles[0].role_id === id,
};
export const WITHDRAWAL_LIST = {
  name: 'list of withdrawals',
  request: (id) => get('/api/game/withdraw', as(id)),
  isCorrect: ({ data: { withdrawals } }, id) =>
    withdrawals.length === WITHDRAWALS_EACH && withdrawals.every(({ role_id }) => role_id === id),
};

const PATHS = [
  SERVER_LIST,
  CHECK_MD5,
  CHECK_JWT,
  LOGIN,
  WRONG_LOGIN,
  ENTER_GAME,
  LINK,
  CHAT_ONE,
  CHAT_BATCH,
  WITHDRAW,
  ROLES,
  WITHDRAWAL_LIST,
];

/** Returns the paths with these names, or all paths. */
export function pathsNamed(names) {
  const unknown = names?.filter((name) => !PATHS.some((path) => path.name === name)) ?? [];
  if (unknown.length > 0)
    throw new Error(`--only takes ${PATHS.map(({ name }) => `"${name}"`).join(', ')}`);
  return names ? PATHS.filter(({ name }) => names.includes(name)) : PATHS;
}

/** Returns the bytes of an HTTP/1.1 request. */
export function toWire({ method, path, headers, body = '' }) {
  const all = {
    Host: 'bench',
    ...headers,
    ...(body && { 'Content-Length': Buffer.byteLength(body) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
