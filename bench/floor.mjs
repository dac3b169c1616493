// The floor is the baseline of the benchmark. It implements the same endpoints on bare Express and
// mysql2, with the service's SQL as prepared statements, but without validation, counters or a log.
import { createSecretKey, hash, randomInt, randomUUID } from 'node:crypto';
import express from 'express';
import jwt from 'jsonwebtoken';
import mysql from 'mysql2/promise';
import { serveWithdrawals } from './floor-withdraw.mjs';

const { DATABASE_URL, JWT_SECRET, PASSWORD_KEY, PORT } = process.env;
const DAY = 24 * 60 * 60;
const key = createSecretKey(Buffer.from(JWT_SECRET));
const database = mysql.createPool({ uri: DATABASE_URL, charset: 'utf8mb4', timezone: 'Z' });
const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.use(express.json());

const COLUMNS = 'p.id, p.account, p.password, p.email, p.ver, p.server_id, p.disabled_at';
const FIND = `SELECT ${COLUMNS} FROM player p WHERE p.account = ?`;
const FIND_FOR_LOGIN = `SELECT ${COLUMNS}, a.seen_at > ? AS known, a.seen_at > ? AS fresh
  FROM player p LEFT JOIN login_address a ON a.player_id = p.id AND a.address = ? WHERE p.account = ?`;
const IDENTIFY = `SELECT p.id, p.account, p.ver, p.disabled_at, s.seen_at < ? AS stale FROM player p
  LEFT JOIN session s ON s.player_id = p.id AND s.id = ? AND s.ended_at IS NULL WHERE p.id = ?`;
const START_SESSION = `INSERT INTO session (player_id, id, ver, device, os, browse, address, created_at, confirmed_at,
  seen_at, expires_at, cookie_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const ENTER = `UPDATE player p STRAIGHT_JOIN player_zone z ON z.player_id = p.id AND z.server_id = ?
  SET p.server_id = z.server_id, p.ip = ?, p.entered_at = ?, p.enter_count = p.enter_count + 1,
    z.entered_at = ?, z.enter_count = z.enter_count + 1 WHERE p.id = ?`;
const LIST = 'SELECT * FROM server ORDER BY sort, id';
const LINKED = `SELECT p.id, p.account, p.ver, p.disabled_at FROM player p
  INNER JOIN player_connect_threeparty l ON l.player_id = p.id WHERE l.provider = ? AND l.connect_id = ?`;
const INSERT_CHAT =
  'INSERT INTO chat (server_id, chat_id, account, role_id, role_name, channel, content, time) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';

async function first(statement, values) {
  const [[row]] = await database.execute(statement, values);
  return row;
}

function identify(token) {
  const claims = jwt.verify(token, key, { algorithms: ['HS256'], issuer: 'gatehouse' });
  return first(IDENTIFY, [sqlTime(Date.now() - 600_000), claims.sid, claims.sub]);
}

function sign(claims) {
  const options = { algorithm: 'HS256', expiresIn: DAY, issuer: 'gatehouse' };
  return jwt.sign({ ...claims, jti: randomUUID() }, key, options);
}

const sqlTime = (time) => new Date(time).toISOString().slice(0, 23).replace('T', ' ');
const bearer = (headers) => headers.authorization.slice('Bearer '.length);
const answer = (response, data) => response.json({ code: 0, message: 'ok', data });
const serverView = ({ id, name, address, port, status }) => ({ id, name, address, port, status });

const serverExtras = ({ open_at, zone_group, recommended }) => ({
  open_at,
  group: zone_group,
  recommended: recommended === 1,
});

app.get('/api/server/list', async (_request, response) => {
  const [rows] = await database.execute(LIST);
  answer(response, { servers: rows.map((row) => ({ ...serverView(row), ...serverExtras(row) })) });
});

app.get('/api/check', async ({ query: { account, token } }, response) => {
  const isHash = /^[0-9a-f]{32}$/i.test(token);
  const player = await (isHash ? first(FIND, [account]) : identify(token));
  if (isHash ? player.password !== token : player.account !== account) throw new Error('wrong');
  answer(response, { account: player.account, format: isHash ? 'md5' : 'jwt' });
});

app.post('/api/login', async ({ body: { account, password }, ip }, response) => {
  const now = Date.now();
  const times = [sqlTime(now - 30 * DAY * 1000), sqlTime(now - DAY * 1000)];
  const player = await first(FIND_FOR_LOGIN, [...times, ip, account]);
  if (player.password !== hash('md5', password + PASSWORD_KEY))
    return response.status(401).json({ code: 40101, error: 'bad_credentials', message: 'wrong' });
  const [sid, started] = [randomInt(1, 2 ** 48 - 1), sqlTime(now)];
  const details = [
    null,
    null,
    null,
    ip,
    started,
    started,
    started,
    sqlTime(now + DAY * 1000),
    null,
  ];
  await database.execute(START_SESSION, [player.id, sid, player.ver, ...details]);
  const token = sign({ sub: String(player.id), account, ver: player.ver, sid });
  return answer(response, { account, token, expires_in: DAY, server_id: player.server_id });
});

// The servers are cached, as in the service, so that entering a game takes two statements on both
// sides.
const [rows] = await database.query(LIST);
const servers = new Map(rows.map((server) => [server.id, serverView(server)]));

app.post('/api/enter_game', async ({ body, headers, ip }, response) => {
  const { id, account, ver } = await identify(bearer(headers));
  const now = sqlTime(Date.now());
  await database.execute(ENTER, [body.server_id, ip, now, now, id]);
  const token = sign({ sub: String(id), account, ver, aud: 'game' });
  answer(response, { account, token, server: servers.get(body.server_id) });
});

app.get('/api/link', async ({ query }, response) => {
  const { account } = await first(LINKED, [query.provider ?? 'forum', query.connect_id]);
  answer(response, { account });
});

app.post('/api/report/chat', async ({ body }, response) => {
  const { server_id, chat_id, account, role_id, role_name, channel, content, time } = body;
  const sentAt = new Date(time * 1000);
  const row = [server_id, chat_id, account, role_id, role_name, channel, content, sentAt];
  await database.execute(INSERT_CHAT, row);
  answer(response, { accepted: 1, duplicates: 0, rejected: [] });
});

const caller = ({ headers }) => identify(bearer(headers));
serveWithdrawals({ app, database, caller, answer, gmPort: rows[0].gm_port });

app.listen(Number(PORT), '127.0.0.1', () => console.log('listening'));
