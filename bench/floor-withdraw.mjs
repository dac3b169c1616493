// Implements the withdrawal of the baseline server (`floor.mjs`), which reads the role, inserts the order, calls the
// game server and stores the outcome. It has no limits, locks, events or second balance check, and does not recover orders with an unknown
// outcome.
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import mysql from 'mysql2/promise';

const { GAME_DATABASE_URL, GM_SECRET } = process.env;
const SERVER = 1;
const ROLE =
  'SELECT actorid AS id, actorname AS name, accountname AS account, level, nonbindyuanbao AS balance FROM actors';
const FIND_ROLE = `${ROLE} WHERE actorid = ? ORDER BY actorid LIMIT 100`;
const FIND_ROLES = `${ROLE} WHERE accountname = ? ORDER BY actorid LIMIT 100`;
const ORDER = `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, status,
    order_no, balance_before, created_at, sent_at)
  VALUES (?, ?, ?, ?, ?, ?, 'sending', ?, ?, ?, ?)`;
const SETTLE = "UPDATE withdraw SET status = 'succeeded', settled_at = ? WHERE id = ?";
const LIST = `SELECT id, server_id, role_id, role_name, amount, status, reason, created_at, settled_at
  FROM withdraw WHERE player_id = ? ORDER BY id DESC LIMIT 20`;

export function serveWithdrawals({ app, database, caller, answer, gmPort }) {
  const server = mysql.createPool({
    uri: `${GAME_DATABASE_URL}/mir_actor_s${SERVER}`,
    charset: 'utf8mb4',
  });

  app.post('/api/game/withdraw', async (incoming, response) => {
    const { id, account } = await caller(incoming);
    const { server_id, role_id, amount } = incoming.body;
    const [[role]] = await server.execute(FIND_ROLE, [role_id]);
    if (role.account !== account || role.balance < amount) throw new Error('refused');
    const [orderNo, now] = [randomUUID(), new Date()];
    const place = [id, server_id, server_id, role_id, role.name, amount];
    const [{ insertId }] = await database.execute(ORDER, [
      ...place,
      orderNo,
      role.balance,
      now,
      now,
    ]);
    await sendCommand(gmPort, { server_id, role_id, account, amount, order_no: orderNo });
    const settled = new Date();
    await database.execute(SETTLE, [settled, insertId]);
    const order = { id: insertId, server_id, role_id, role_name: role.name, amount };
    const outcome = { status: 'succeeded', reason: null, created_at: now, settled_at: settled };
    answer(response, { ...order, ...outcome });
  });

  app.get('/api/game/roles', async (incoming, response) => {
    const { account } = await caller(incoming);
    const [roles] = await server.execute(FIND_ROLES, [account]);
    const view = ({ id, name, level, balance }) => ({ role_id: id, name, level, balance });
    answer(response, { roles: roles.map(view) });
  });

  app.get('/api/game/withdraw', async (incoming, response) => {
    const { id } = await caller(incoming);
    const [withdrawals] = await database.execute(LIST, [id]);
    answer(response, { withdrawals });
  });
}

/** Reuses connections, which the service is not allowed to do. */
async function sendCommand(port, order) {
  const fields = { op: 10030, ...order, time: Math.floor(Date.now() / 1000) };
  const names = Object.keys(fields).toSorted();
  const text = names.map((name) => `${name}=${fields[name]}`).join('&');
  const sign = createHmac('sha256', GM_SECRET).update(text).digest('hex');
  const form = new URLSearchParams({ ...fields, sign }).toString();
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': Buffer.byteLength(form),
  };
  const outgoing = request({ host: '127.0.0.1', port, path: '/gm', method: 'POST', headers });
  outgoing.end(form);
  const [incoming] = await once(outgoing, 'response');
  const { code } = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
  if (code !== 0) throw new Error('refused');
}
