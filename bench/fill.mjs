// Fills the tables with SQL statements that generate the rows inside the database.
import { createConnection } from 'mysql2/promise';
import { STRIDE, SERVERS } from './population.mjs';
import { SECRETS } from './stage.mjs';

// Without these checks, InnoDB loads an empty table in bulk. It sorts the rows of one statement and
// writes whole pages.
const UNCHECKED = 'SET unique_checks = 0, foreign_key_checks = 0';
const CHECKED = 'SET unique_checks = 1, foreign_key_checks = 1';

// Sets game_account, as the first withdrawal does.
const NAME = `CONCAT('player', LPAD(seq, 8, '0'))`;
const ACCOUNTS = `INSERT INTO player (id, account, game_account, password, email, server_id)
  SELECT seq, ${NAME}, ${NAME}, MD5(CONCAT('password ', seq, '${SECRETS.PASSWORD_KEY}')), CONCAT(${NAME}, '@mail.example'),
    seq % ${SERVERS} + 1 FROM`;
const LINKS = `INSERT INTO player_connect_threeparty (player_id, provider, connect_id)
  SELECT seq, 'forum', seq FROM`;
// Every address is recent, so that a login does not update the row.
const ADDRESSES = `INSERT INTO login_address (player_id, address, seen_at)
  SELECT seq, '127.0.0.1', UTC_TIMESTAMP(3) FROM`;
// Every player has already entered the server that the scenarios choose for this player.
const VISITS = `INSERT INTO player_zone (player_id, server_id, entered_at)
  SELECT seq, seq % ${SERVERS} + 1, UTC_TIMESTAMP(3) FROM`;

// In the scenarios' tokens, `sid` equals the player id.
const SESSIONS = `INSERT INTO session (player_id, id, ver, address, created_at, confirmed_at, seen_at, expires_at)
  SELECT seq, seq, 0, '127.0.0.1', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 1 DAY,
    UTC_TIMESTAMP(3) + INTERVAL 1 DAY FROM`;

export async function fillPlayers({ query }, players) {
  await query(UNCHECKED);
  for (const insert of [ACCOUNTS, LINKS, ADDRESSES, VISITS, SESSIONS])
    await query(`${insert} seq_1_to_${players}`);
  await query(CHECKED);
  await query(
    'ANALYZE TABLE player, player_connect_threeparty, login_address, player_zone, session',
  );
}

const REQUEST = '01M7GCGAERPD';
// Adds successful logins of the last 90 days, oldest first.
const LOGINS = (rows, players) => `INSERT INTO login_event
    (created_at, way, outcome, player_id, account, address, device, session_id, request_id)
  SELECT UTC_TIMESTAMP(3) - INTERVAL 90 DAY + INTERVAL FLOOR(seq * ${90 * 86_400 - 60} / ${rows}) SECOND, 'login', 'ok',
    seq * ${STRIDE} % ${players} + 1, CONCAT('player', LPAD(seq * ${STRIDE} % ${players} + 1, 8, '0')),
    CONCAT('198.51.', seq % 256, '.', seq DIV 256 % 256), 'PC, Windows 11, Edge', seq, CONCAT('${REQUEST}', LPAD(seq, 14, '0'))
  FROM seq_1_to_${rows}`;

export function requestIdOf(n) {
  return REQUEST + String(n).padStart(14, '0');
}

export async function fillLogins({ query }, rows, players) {
  await query(UNCHECKED);
  await query(LOGINS(rows, players));
  await query(CHECKED);
  await query('ANALYZE TABLE login_event');
}

/** All servers share one GM interface. Only `game.server` has a role database. */
export async function fillServers({ query }, game, servers = SERVERS) {
  await query(
    `INSERT INTO server (id, name, address, port, sort, gm_address, gm_port)
     SELECT seq, CONCAT('盟重土城 ', seq), CONCAT('s', seq, '.game.example'), 7000 + seq, seq, '127.0.0.1', ?
     FROM seq_1_to_${servers}`,
    [game.port],
  );
}

/**
 * Adds one role per sampled player. The role id is the player's id, and the balance outlasts the
 * benchmark.
 */
export async function fillRoles({ rootUrl, server }, players, count) {
  const connection = await createConnection(rootUrl);
  await connection.query(
    `INSERT IGNORE INTO mir_actor_s${server}.actors (actorid, actorname, accountname, level, nonbindyuanbao)
     SELECT id, CONCAT('屠龙少年 ', id), CONCAT('player', LPAD(id, 8, '0')), 50, 4000000000
     FROM (SELECT seq * ${STRIDE} % ${players} + 1 AS id FROM mysql.seq_0_to_${count - 1}) sampled`,
  );
  await connection.end();
}

/** Adds about one chat record per second, spread over 20 servers around 10 November 2026. */
export async function fillChat({ query }, rows) {
  await query(UNCHECKED);
  await query(
    `INSERT INTO chat (server_id, chat_id, account, role_id, role_name, channel, content, time)
     SELECT seq % 20 + 1, seq, CONCAT('player', seq % 9973), seq % 19997 + 1, CONCAT('角色', seq % 19997), 'world',
       CONCAT('出售裁决之杖 +7,诚心价 👋 ', IF(seq % 7, 'meet me at the gate', 'trade with me'), ' ', seq % 100),
       '2026-11-10 12:00:00' + INTERVAL FLOOR((seq - ${rows} / 2) * 0.864) SECOND
     FROM seq_1_to_${rows}`,
  );
  await query(CHECKED);
  await query('ANALYZE TABLE chat');
}

export const OPERATORS = 20;

/** Adds audit events for operators' actions on players and withdrawals. */
export async function fillAudit({ query }, rows, players) {
  await query(UNCHECKED);
  await query(
    `INSERT INTO audit_event (created_at, operator, act, subject, state_before, state_after, note)
     SELECT UTC_TIMESTAMP(3) - INTERVAL 400 DAY + INTERVAL FLOOR(seq * ${400 * 86_400 - 60} / ${rows}) SECOND,
       CONCAT('operator', seq % ${OPERATORS}), ELT(seq % 5 + 1, 'player.disable', 'player.enable', 'desk.view', 'player.unlock', 'withdrawal.settle'),
       CONCAT(IF(seq % 5 = 4, 'withdrawal ', 'player '), seq * ${STRIDE} % ${players} + 1),
       '{"disabled_at":null}', '{"disabled_at":"2026-11-01T00:00:00.000Z"}', 'asked for by mail, ticket 4711'
     FROM seq_1_to_${rows}`,
  );
  await query(CHECKED);
  await query('ANALYZE TABLE audit_event');
}

/** Adds failed logins for one player, one row per minute, after the last successful login. */
export async function fillFailedLogins({ query }, rows, playerId) {
  await query(
    `INSERT INTO login_event (created_at, way, outcome, tries, player_id, account, address, request_id)
     SELECT UTC_TIMESTAMP(3) - INTERVAL ${rows} - seq MINUTE, 'login', 'bad_credentials', 20, ${playerId}, 'victim',
       CONCAT('203.0.', seq % 200, '.', seq % 251), CONCAT('01M7GCGAERPE', LPAD(seq, 14, '0'))
     FROM seq_1_to_${rows}`,
  );
}

/** Adds logins of the last hour, as during an evening peak. */
export async function fillRecentLogins({ query }, rows, players) {
  await query(
    `INSERT INTO login_event (created_at, way, outcome, player_id, account, address, session_id, request_id)
     SELECT UTC_TIMESTAMP(3) - INTERVAL FLOOR(3600 * 1000000 * (1 - seq / ${rows})) MICROSECOND, 'login', IF(seq % 9, 'ok', 'bad_credentials'),
       seq * ${STRIDE} % ${players} + 1, CONCAT('player', LPAD(seq * ${STRIDE} % ${players} + 1, 8, '0')),
       CONCAT('198.51.', seq % 256, '.', seq DIV 256 % 256), seq, CONCAT('01M7GCGAERPF', LPAD(seq, 14, '0'))
     FROM seq_1_to_${rows}`,
  );
}

/** Adds refused, failed and unknown withdrawals of the last hour, on all servers. */
export async function fillProblemWithdrawals({ query }, rows, players, servers) {
  await query(
    `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, status, order_no,
       balance_before, created_at, sent_at, settled_at, asks, asked_at)
     SELECT seq * ${STRIDE} % ${players} + 1, server, server, 2000000000 + seq, CONCAT('屠龙少年 ', seq), 100, state,
       CONCAT('T', seq), 1000, at, at, IF(state = 'unknown', NULL, at), 9, UTC_TIMESTAMP(3) + INTERVAL 1 DAY
     FROM (SELECT seq, seq % ${servers} + 1 AS server, ELT(seq % 3 + 1, 'refused', 'failed', 'unknown') AS state,
             UTC_TIMESTAMP(3) - INTERVAL FLOOR(3600 * (1 - seq / ${rows})) SECOND AS at
           FROM seq_1_to_${rows}) made`,
  );
  await query('ANALYZE TABLE withdraw');
}

export const WITHDRAWALS_EACH = 20;

/**
 * Adds succeeded withdrawals of earlier days with their events, WITHDRAWALS_EACH for each of the first sampled players.
 */
export async function fillWithdrawals({ query }, rows, players, server) {
  const owners = Math.floor(rows / WITHDRAWALS_EACH);
  await query(UNCHECKED);
  await query(
    `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, status, order_no,
       balance_before, created_at, sent_at, settled_at)
     SELECT id, ${server}, ${server}, id, CONCAT('屠龙少年 ', id), 100, 'succeeded', CONCAT('W', seq), 1000,
       at, at, at
     FROM (SELECT seq, (seq % ${owners}) * ${STRIDE} % ${players} + 1 AS id,
             UTC_TIMESTAMP(3) - INTERVAL 400 DAY + INTERVAL seq % 30000000 SECOND AS at
           FROM seq_1_to_${rows}) made`,
  );
  await query(
    `INSERT INTO withdraw_event (withdraw_id, from_status, to_status, cause, evidence, created_at)
     SELECT (seq - 1) DIV 3 + 1, ELT(seq % 3 + 1, 'sending', NULL, 'created'),
       ELT(seq % 3 + 1, 'succeeded', 'created', 'sending'), ELT(seq % 3 + 1, 'gm', 'request', 'balance'),
       'HTTP 200 {"code":0}', UTC_TIMESTAMP(3) - INTERVAL 1 DAY
     FROM seq_1_to_${rows * 3}`,
  );
  await query(CHECKED);
  await query('ANALYZE TABLE withdraw, withdraw_event');
}
