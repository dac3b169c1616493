// The limit: the busiest paths on node:http and mysql2 with the service's own statements, batched as it does it, and
// nothing else: no framework, no guards, no validation, no counters, no log. What this machine can do at best.
import { createHmac, createSecretKey, hash, randomInt, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import mysql from 'mysql2';
import { batched, lookup } from './limit-batches.mjs';

const { DATABASE_URL, JWT_SECRET, PASSWORD_KEY, PORT } = process.env;
const DAY = 24 * 60 * 60;
const EVENTS_EVERY_MS = 500;
const EVENTS_A_STATEMENT = 200;
const key = createSecretKey(Buffer.from(JWT_SECRET));
const pool = mysql.createPool({ uri: DATABASE_URL, charset: 'utf8mb4', timezone: 'Z' });

const ask = (sql, values) =>
  new Promise((resolve, reject) => {
    pool.query(sql, values, (error, rows) => (error ? reject(error) : resolve(rows)));
  });

const COLUMNS = 'p.id, p.account, p.password, p.email, p.ver, p.server_id, p.disabled_at';
const byName = lookup(
  ask,
  COLUMNS,
  'FROM player p WHERE p.account = (SELECT MIN(n.account) FROM player n WHERE n.account >= ?)',
);
const forLogin = lookup(
  ask,
  `${COLUMNS}, a.seen_at > ? AS known, a.seen_at > ? AS fresh`,
  'FROM player p LEFT JOIN login_address a ON a.player_id = p.id AND a.address = ? WHERE p.account = ?',
);
const byId = lookup(
  ask,
  'p.id, p.account, p.game_account, p.ver, p.disabled_at, s.seen_at < ? AS stale',
  `FROM player p LEFT JOIN session s ON s.player_id = p.id AND s.id = ? AND s.ended_at IS NULL WHERE p.id = ?`,
);
const byIdentity = lookup(
  ask,
  'p.id, p.account, p.ver, p.disabled_at',
  `FROM player p INNER JOIN player_connect_threeparty l ON l.player_id = p.id
    WHERE l.provider = ? AND l.connect_id = ?`,
);
const startSession = batched(async (sessions) => {
  const rows = sessions.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ');
  await ask(
    `INSERT INTO session (player_id, id, ver, device, os, browse, address, created_at, confirmed_at, seen_at,
      expires_at, cookie_hash) VALUES ${rows}`,
    sessions.flat(),
  );
  return sessions;
}, 64);
const ENTER = `UPDATE player p STRAIGHT_JOIN player_zone z ON z.player_id = p.id AND z.server_id = ?
  SET p.server_id = z.server_id, p.ip = ?, p.entered_at = ?, p.enter_count = p.enter_count + 1,
    z.entered_at = ?, z.enter_count = z.enter_count + 1 WHERE p.id = ?`;

const events = [];
async function writeEvents() {
  while (events.length > 0) {
    const some = events.splice(0, EVENTS_A_STATEMENT);
    const rows = some.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join();
    await ask(
      `INSERT INTO login_event (created_at, way, outcome, tries, player_id, account, address, device, session_id,
        request_id) VALUES ${rows}`,
      some.flat(),
    );
  }
}
setInterval(() => void writeEvents(), EVENTS_EVERY_MS);

const sqlTime = (time) => new Date(time).toISOString().slice(0, 23).replace('T', ' ');
const base64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signatureOf = (text) => createHmac('sha256', key).update(text).digest('base64url');
const HEAD = base64({ alg: 'HS256', typ: 'JWT' });

function sign(claims) {
  const text = `${HEAD}.${base64(claims)}`;
  return `${text}.${signatureOf(text)}`;
}

function identify(token) {
  const end = token.lastIndexOf('.');
  if (signatureOf(token.slice(0, end)) !== token.slice(end + 1)) throw new Error('wrong');
  const claims = JSON.parse(Buffer.from(token.slice(token.indexOf('.') + 1, end), 'base64url'));
  if (claims.exp * 1000 < Date.now()) throw new Error('expired');
  return byId(sqlTime(Date.now() - 600_000), claims.sid, claims.sub);
}

const bodyOf = (request) =>
  new Promise((resolve) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    request.on('end', () => resolve(JSON.parse(text)));
  });
const addressOf = ({ socket }) => socket.remoteAddress;

async function check({ searchParams }) {
  const [account, token] = [searchParams.get('account'), searchParams.get('token')];
  const isHash = /^[0-9a-f]{32}$/i.test(token);
  const player = await (isHash ? byName(account) : identify(token));
  if (isHash ? player.password !== token : player.account !== account) throw new Error('wrong');
  return { account: player.account, format: isHash ? 'md5' : 'jwt' };
}

async function login(_url, request) {
  const { account, password } = await bodyOf(request);
  const [now, ip] = [Date.now(), addressOf(request)];
  const times = [sqlTime(now - 30 * DAY * 1000), sqlTime(now - DAY * 1000)];
  const player = await forLogin(...times, ip, account);
  if (player.password !== hash('md5', password + PASSWORD_KEY)) throw new Error('wrong');
  const [sid, at, requestId] = [randomInt(1, 2 ** 48 - 1), sqlTime(now), randomUUID()];
  const end = sqlTime(now + DAY * 1000);
  await startSession([player.id, sid, player.ver, null, null, null, ip, at, at, at, end, null]);
  events.push([at, 'password', 'ok', 1, player.id, account, ip, null, sid, requestId.slice(0, 26)]);
  const seconds = Math.floor(now / 1000);
  const claims = { sub: String(player.id), account, ver: player.ver, sid, jti: requestId };
  const token = sign({ ...claims, iat: seconds, exp: seconds + DAY, iss: 'gatehouse' });
  return { account, token, expires_in: DAY, server_id: player.server_id };
}

const servers = new Map(
  (await ask('SELECT id, name, address, port, status FROM server')).map((server) => [
    server.id,
    server,
  ]),
);

async function enterGame(_url, request) {
  const token = request.headers.authorization.slice('Bearer '.length);
  const [{ id, account }, { server_id }] = await Promise.all([identify(token), bodyOf(request)]);
  const now = sqlTime(Date.now());
  await ask(ENTER, [server_id, addressOf(request), now, now, id]);
  return { account, token, server: servers.get(server_id) };
}

async function link({ searchParams }) {
  const provider = searchParams.get('provider') ?? 'forum';
  return { account: (await byIdentity(provider, searchParams.get('connect_id'))).account };
}

const ROUTES = new Map([
  ['/api/check', check],
  ['/api/login', login],
  ['/api/enter_game', enterGame],
  ['/api/link', link],
]);

async function serve(request, response) {
  const url = new URL(request.url, 'http://limit');
  const send = (status, body) => {
    const text = JSON.stringify(body);
    const length = Buffer.byteLength(text);
    response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length });
    response.end(text);
  };
  try {
    send(200, { code: 0, message: 'ok', data: await ROUTES.get(url.pathname)(url, request) });
  } catch {
    send(500, { code: 50000, error: 'internal_error', message: 'wrong' });
  }
}

createServer((request, response) => void serve(request, response)).listen(
  Number(PORT),
  '127.0.0.1',
  () => console.log('listening'),
);
