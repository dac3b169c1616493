// Generates a database of the previous generation: GBK in latin1 columns, with a share of each known data problem.
import { createConnection } from 'mysql2/promise';
import { SECRETS } from './stage.mjs';

const SERVERS = 4;

export const MAP = `
charset: gbk
timezone: "+08:00"
players:
  table: player
  columns: { id: id, account: account, password: password, email: email, registered: reg_time,
    last_login: login_time, last_server: server_id, promoter: agent_id, ip: ip }
  banned: { column: status, values: [1] }
bans: { table: ban, player: account, until: end_time }
links: { table: player_connect_threeparty, player: account, connect_id: connect_id }
promoters: { table: agent, id: id, name: name }
servers: { table: server, columns: { id: id, name: name, address: address, port: port } }
`;

export const PATTERN = 'game_s{server_id}';

/** Unique and unordered, so that neighbouring rows are not neighbours in an index of names. */
const code = (n) => `LOWER(CONV((${n}) * 2654435761 % 4294967296, 10, 36))`;
const first = (n) =>
  `ELT((${n}) % 9 + 1, 'dragon', 'Tiger', '李四', 'crane_', '王小明', 'Wolf', '神龙', 'pan', '')`;
const plain = (n) => `CONCAT(${first(n)}, ${code(n)})`;

/** One in 1000 differs from the previous name by case, one in 2000 by an accent; one in 500 has trailing spaces. */
const spelled = (n) => `CASE
  WHEN ${n} % 1000 = 501 THEN CONCAT('Twin', ${code(n)})
  WHEN ${n} % 1000 = 502 THEN CONCAT('tWIN', ${code(`${n} - 1`)})
  WHEN ${n} % 2000 = 700 THEN CONCAT('jose', ${code(n)})
  WHEN ${n} % 2000 = 701 THEN CONCAT('josé', ${code(`${n} - 1`)})
  WHEN ${n} % 500 = 3 THEN CONCAT(${plain(n)}, '  ')
  ELSE ${plain(n)} END`;
/** GBK; one in 2000 is UTF-8. */
const name = (n) => `IF(${n} % 2000 = 11, CAST(CONCAT('诸葛亮', ${code(n)}) AS BINARY),
  CAST(CONVERT(${spelled(n)} USING gbk) AS BINARY))`;
/** 30 % have none; one in 100 shares the previous player's; a thousand share one. */
const email = (n, players) => `CASE
  WHEN ${n} % 10 < 3 THEN ''
  WHEN ${n} % ${Math.max(10, Math.round(players / 1000))} = 7 THEN 'nobody@mail.example'
  WHEN ${n} % 100 = 45 THEN CONCAT(${code(`${n} - 1`)}, '@Mail.example')
  WHEN ${n} % 1000 = 46 THEN 'none'
  ELSE CONCAT(${code(n)}, '@mail.example') END`;
const hash = (n) => `CASE
  WHEN ${n} % 5000 = 77 THEN ''
  WHEN ${n} % 5000 = 78 THEN LEFT(MD5(${n}), 16)
  WHEN ${n} % 10 = 1 THEN UPPER(MD5(CONCAT('password ', ${n}, '${SECRETS.PASSWORD_KEY}')))
  ELSE MD5(CONCAT('password ', ${n}, '${SECRETS.PASSWORD_KEY}')) END`;
const registered = (n) => `ELT(${n} % 4 + 1, UNIX_TIMESTAMP('2019-01-02 03:04:05') + ${n},
  CONCAT(UNIX_TIMESTAMP('2019-01-02 03:04:05') + ${n}, '000'),
  '2019-01-02 03:04:05' + INTERVAL ${n} SECOND, '2019/1/2 3:04')`;

export async function fillOldGeneration(rootUrl, players) {
  const connection = await createConnection({ uri: rootUrl, charset: 'utf8mb4' });
  const run = (sql) => connection.query(sql);
  await run('CREATE DATABASE old');
  await run('USE old');
  await run('SET unique_checks = 0, foreign_key_checks = 0');
  const latin1 = 'ENGINE = InnoDB DEFAULT CHARSET = latin1 COLLATE = latin1_bin';
  await run(`CREATE TABLE player (id INT AUTO_INCREMENT PRIMARY KEY, account VARCHAR(64) NOT NULL UNIQUE,
    password VARCHAR(32), email VARCHAR(100), reg_time VARCHAR(32), login_time INT, server_id INT, agent_id INT,
    ip VARCHAR(45), status TINYINT NOT NULL DEFAULT 0) ${latin1}`);
  await run(insertPlayers('seq', `mysql.seq_1_to_${players} s`, players));
  await run(`CREATE TABLE ban (account VARCHAR(64), end_time DATETIME) ${latin1}`);
  await run(`INSERT INTO ban SELECT ${name('(seq * 200)')}, IF(seq % 2, NULL, '2020-01-01 00:00:00')
    FROM mysql.seq_1_to_${Math.floor(players / 200)} s`);
  await run(
    `CREATE TABLE player_connect_threeparty (account VARCHAR(64), connect_id VARCHAR(64)) ${latin1}`,
  );
  await run(`INSERT INTO player_connect_threeparty SELECT ${name('(seq * 20)')}, CONCAT('forum-', seq)
    FROM mysql.seq_1_to_${Math.floor(players / 20)} s`);
  await run(`CREATE TABLE agent (id INT PRIMARY KEY, name VARCHAR(32)) ${latin1}`);
  await run(`INSERT INTO agent SELECT seq, CONCAT('promoter ', seq) FROM mysql.seq_1_to_50 s`);
  await run(
    `CREATE TABLE server (id INT PRIMARY KEY, name VARCHAR(32), address VARCHAR(64), port INT) ${latin1}`,
  );
  await run(`INSERT INTO server SELECT seq, CONCAT('server ', seq), 'server.example', 7000 + seq
    FROM mysql.seq_1_to_${SERVERS} s`);
  for (let server = 1; server <= SERVERS; server++) await fillServer(run, server, players);
  await connection.end();
}

/** Changes until the cut-over: new players, new passwords, new bans. */
export async function changeOldGeneration(rootUrl, players) {
  const connection = await createConnection({ uri: `${rootUrl}/old`, charset: 'utf8mb4' });
  const few = Math.floor(players / 10_000);
  await connection.query(
    insertPlayers('seq', `mysql.seq_${players + 1}_to_${players + few} s`, players),
  );
  const changedFrom = players - 50 * few;
  await connection.query(
    `UPDATE player SET password = MD5(id) WHERE id > ${changedFrom} AND id % 50 = 0`,
  );
  await connection.query(
    `UPDATE player SET status = 1 WHERE id > ${changedFrom} AND id % 5000 = 1`,
  );
  await connection.end();
}

function insertPlayers(n, from, players) {
  return `INSERT INTO player SELECT ${n}, ${name(n)}, ${hash(n)}, ${email(n, players)}, ${registered(n)},
    1600000000 + ${n} * 7919 % 100000000, ${n} % ${SERVERS} + 1, ${n} % 50 + 1, CONCAT('10.1.', ${n} % 250, '.7'),
    ${n} % 100 = 33 FROM ${from}`;
}

/** Every fifth player has a role on one of the servers; one in 100 of these has its account name in lower case. */
async function fillServer(run, server, players) {
  await run(`CREATE DATABASE game_s${server}`);
  await run(`CREATE TABLE game_s${server}.actors (actorid BIGINT PRIMARY KEY, actorname VARCHAR(32),
    accountname VARCHAR(80) COLLATE utf8mb4_bin, level INT DEFAULT 1, nonbindyuanbao INT DEFAULT 0,
    KEY (accountname)) DEFAULT CHARSET = utf8mb4`);
  const n = `(seq * ${SERVERS * 5} + ${server})`;
  await run(`INSERT INTO game_s${server}.actors (actorid, actorname, accountname)
    SELECT seq, CONCAT('role ', seq), IF(seq % 100, ${spelled(n)}, LOWER(${spelled(n)}))
      FROM mysql.seq_1_to_${Math.floor(players / SERVERS / 5)} s`);
}
