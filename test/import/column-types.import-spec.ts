import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { encode } from 'iconv-lite';
import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SECRETS } from '../support/accounts.js';
import { inProject } from '../support/servers/gatehouse-process.js';
import { ImportTrial } from '../support/import/import-trial.js';

let trial: ImportTrial;
let connection: Connection;

beforeAll(async () => {
  trial = await ImportTrial.start();
  connection = trial.connection;
});
beforeEach(() => trial.clear());
afterAll(() => trial?.stop());

describe('An old table whose key is the account name', () => {
  const USER = `CREATE TABLE user (name VARCHAR(64) PRIMARY KEY, pass CHAR(32), mail VARCHAR(64), reg_time DATETIME) CHARSET gbk;
    INSERT INTO user SELECT CONCAT('李四', n), REPEAT(n, 32), '', '2019-01-02 11:04:05'
      FROM (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3 UNION SELECT 4) numbers`;
  const shipped = readFileSync(inProject('config/import.user.yaml'), 'utf8');

  it('is imported with config/import.user.yaml, even after it has changed', async () => {
    await connection.query(USER);
    expect(await trial.runImport('run', shipped)).toBe(0);
    await connection.query(
      "INSERT INTO user VALUES ('李四0', REPEAT('0', 32), '', NULL), ('王五', REPEAT('9', 32), '', NULL)",
    );
    await connection.query("UPDATE user SET pass = REPEAT('b', 32) WHERE name = '李四3'");
    await trial.runImport('run', shipped);
    expect(trial.printed).toContain('2 players moved, 1 brought up to date');
    expect(await trial.players('account, created_at')).toHaveLength(6);
    expect((await trial.players('created_at'))[0]).toEqual({
      created_at: new Date('2019-01-02T03:04:05Z'),
    });
    expect(await trial.runImport('verify', shipped)).toBe(0);
    expect(trial.lastLine).toBe('6 players, 6 proven, 0 accepted, 0 lost');
  });

  it('lets the check show how the old service hashed common passwords', async () => {
    const md5 = (...parts: Array<string | Buffer>) =>
      hash('md5', Buffer.concat(parts.map((part) => Buffer.from(part))));
    const [key, gbk] = [SECRETS.PASSWORD_KEY, encode('密码', 'gbk')];
    const hashes = [md5('123456', key), md5('123456'), md5('qwerty'), md5(gbk, key), md5(gbk)];
    await connection.query(USER);
    for (const [at, pass] of hashes.entries())
      await connection.query('INSERT INTO user VALUES (?, ?, ?, NULL)', [`p${at}`, pass, '']);
    await trial.runImport('check', shipped);
    expect(trial.printed).toContain(
      'hashes of common passwords: 1 with the key, 2 md5 without the key, 1 typed in GBK, 1 typed in GBK, without the key',
    );
  });

  it('can have a table of bans, and expired bans are ignored', async () => {
    await connection.query(USER);
    await connection.query(`CREATE TABLE user_ban (who VARCHAR(64), ends VARCHAR(32)) CHARSET gbk;
      INSERT INTO user_ban VALUES ('李四1', NULL), ('李四2', '2019-01-02 11:04:05'), ('李四3', '4102444000'), ('nobody', NULL)`);
    const bans = 'bans: { table: user_ban, player: who, until: ends }';
    const map = shipped.replace(/^bans: null.*$/m, bans);
    await trial.runImport('check', map);
    expect(trial.report('check')).toMatch(/^ban lost,,nobody,/m);
    await trial.runImport('run', map);
    const IN_FORCE = `EXISTS (SELECT 1 FROM player_ban b WHERE b.player_id = player.id AND b.lifted_at IS NULL)`;
    const closed = async () =>
      (await trial.players(`${IN_FORCE} AS banned`)).map(({ banned }) => Boolean(banned));
    expect(await closed()).toEqual([true, false, true, false]);
    const ends = 'SELECT until FROM player_ban WHERE until IS NOT NULL';
    expect(await trial.ours(ends)).toEqual([{ until: new Date(4_102_444_000_000) }]);
    await connection.query(
      "DELETE FROM user_ban WHERE who = '李四1'; INSERT INTO user_ban VALUES ('李四4', NULL)",
    );
    await connection.query("UPDATE user_ban SET ends = '2019-01-02 11:04:05' WHERE who = '李四3'");
    // An operator corrects the promoter in the account database. A change to the ban alone must not undo this.
    await trial.ours('UPDATE player SET agent_id = 7');
    await trial.runImport('run', map);
    expect(await closed()).toEqual([false, false, false, true]);
    expect(await trial.ours('SELECT DISTINCT agent_id FROM player')).toEqual([{ agent_id: 7 }]);
    await trial.ours('UPDATE player SET agent_id = NULL');
    expect(await trial.runImport('verify', map)).toBe(0);
  });
});

describe('The registration time', () => {
  it.each([
    ['DATETIME', "'2019-01-02 11:04:05'"],
    ['TIMESTAMP NULL', 'FROM_UNIXTIME(1546398245)'],
    ['INT UNSIGNED', '1546398245'],
    ['BIGINT', '1546398245000'],
    ['VARCHAR(32)', "'2019/1/2 11:04:05'"],
    ['CHAR(14)', "'20190102110405'"],
  ])('is read from a %s column', async (type, value) => {
    await connection.query(
      `CREATE TABLE user (id INT PRIMARY KEY, name VARCHAR(64), pass CHAR(32), reg ${type});
       INSERT INTO user VALUES (1, 'old', REPEAT('a', 32), ${value})`,
    );
    const columns = '{ id: id, account: name, password: pass, registered: reg }';
    await trial.runImport(
      'run',
      `timezone: "+08:00"\nplayers: { table: user, columns: ${columns} }`,
    );
    expect(await trial.players('created_at')).toEqual([
      { created_at: new Date('2019-01-02T03:04:05Z') },
    ]);
  });
});

describe('A ban', () => {
  const IN_FORCE = `SELECT p.account, b.until, b.reason FROM player_ban b JOIN player p ON p.id = b.player_id
    WHERE b.lifted_at IS NULL ORDER BY p.id`;
  const MAP = `
timezone: "+08:00"
players:
  table: user
  columns: { id: id, account: name, password: pass }
  banned: { column: status, values: [1] }
bans: { table: bans, player: who, refers_to: id, until: till, reason: why }`;

  it('with an unreadable end never ends and must be accepted, until the map or the row is corrected', async () => {
    await connection.query(
      `CREATE TABLE user (id INT PRIMARY KEY, name VARCHAR(64), pass CHAR(32), status INT);
       CREATE TABLE bans (who INT, till VARCHAR(32), why VARCHAR(32));
       INSERT INTO user SELECT n, CONCAT('p', n), REPEAT('a', 32), 0
         FROM (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5) numbers;
       INSERT INTO bans VALUES (1, '20121231', 'over'), (2, '2012-12-31T00:00:00+08:00', 'over'),
         (3, '31.12.2012', 'odd'), (4, '31.12.2090', 'odd'), (5, '2090-12-31T08:00:00+08:00', 'long')`,
    );
    expect(await trial.runImport('check', MAP)).toBe(0);
    expect(trial.report('check')).toMatch(
      /^ban end,3,p3,31.12.2012 is not a valid time,banned permanently/m,
    );
    expect(await trial.runImport('run', MAP)).toBe(0);
    expect(trial.report('run')).toBe(trial.report('check'));
    expect(await trial.ours(IN_FORCE)).toEqual([
      { account: 'p3', until: null, reason: 'odd' },
      { account: 'p4', until: null, reason: 'odd' },
      { account: 'p5', until: new Date('2090-12-31T00:00:00Z'), reason: 'long' },
    ]);
    expect(await trial.runImport('verify', MAP)).toBe(1);
    expect(trial.lastLine).toBe('5 players, 3 proven, 0 accepted, 2 lost');
    const listed = trial.reportPath('run');
    expect(await trial.runImport('verify', MAP, undefined, listed)).toBe(0);

    const corrected = `date_order: dmy\n${MAP}`;
    expect(await trial.runImport('run', corrected)).toBe(0);
    expect(trial.lastLine).toBe('No problems found.');
    expect(await trial.ours(IN_FORCE)).toEqual([
      { account: 'p4', until: new Date('2090-12-30T16:00:00Z'), reason: 'odd' },
      { account: 'p5', until: new Date('2090-12-31T00:00:00Z'), reason: 'long' },
    ]);
    expect(await trial.runImport('verify', corrected)).toBe(0);
  });

  it('that is in both a column and a table has the later end', async () => {
    await connection.query(
      `CREATE TABLE user (id INT PRIMARY KEY, name VARCHAR(64), pass CHAR(32), status INT);
       CREATE TABLE bans (who INT, till VARCHAR(32), why VARCHAR(32));
       INSERT INTO user VALUES (1, 'both', REPEAT('a', 32), 1), (2, 'ever', REPEAT('a', 32), 1);
       INSERT INTO bans VALUES (1, '2090-01-01', 'spam'), (2, '0', 'botting')`,
    );
    expect(await trial.runImport('run', `ban_reason: locked\n${MAP}`)).toBe(0);
    expect(await trial.ours(IN_FORCE)).toEqual([
      { account: 'both', until: null, reason: 'locked' },
      { account: 'ever', until: null, reason: 'botting' },
    ]);
  });

  it('of a player who has not signed in to the new service yet is not announced to the player', async () => {
    await connection.query(
      `CREATE TABLE user (id INT PRIMARY KEY, name VARCHAR(64), pass CHAR(32), status INT);
       CREATE TABLE bans (who INT, till VARCHAR(32), why VARCHAR(32));
       INSERT INTO user VALUES (1, 'elsewhere', REPEAT('a', 32), 0), (2, 'here', REPEAT('a', 32), 0),
         (3, 'by_column', REPEAT('a', 32), 0)`,
    );
    expect(await trial.runImport('run', MAP)).toBe(0);
    await trial.ours("UPDATE player SET imported = 0 WHERE account = 'here'");
    await connection.query(
      `INSERT INTO bans VALUES (1, '0', 'cheating'), (2, '0', 'cheating'); UPDATE user SET status = 1 WHERE id = 3`,
    );
    expect(await trial.runImport('run', MAP)).toBe(0);
    const announced = `SELECT p.account, b.applied_at IS NULL AS announced
      FROM player_ban b JOIN player p ON p.id = b.player_id ORDER BY p.id`;
    expect(await trial.ours(announced)).toEqual([
      { account: 'elsewhere', announced: 0 },
      { account: 'here', announced: 1 },
      { account: 'by_column', announced: 0 },
    ]);
  });
});

describe('A number column', () => {
  it('is read as a number even if it is ZEROFILL or BIT', async () => {
    await connection.query(
      `CREATE TABLE user (id INT(11) ZEROFILL PRIMARY KEY, name VARCHAR(64), pass CHAR(32), locked BIT(1),
         zone INT(11) ZEROFILL, prom BIGINT(20) ZEROFILL, reg BIGINT(14) ZEROFILL);
       CREATE TABLE forum (who INT, forum_id VARCHAR(9));
       CREATE TABLE zones (id INT(11) ZEROFILL, title VARCHAR(9), host VARCHAR(9), port INT(11) ZEROFILL);
       INSERT INTO user VALUES (42, 'banned', REPEAT('a', 32), 1, 3, 7, 1546398245), (43, 'free', REPEAT('a', 32), 0, 3, 7, 1546398245);
       INSERT INTO forum VALUES (43, 'forum-1');
       INSERT INTO zones VALUES (3, 'three', 'z.example', 7000)`,
    );
    const map = `
players:
  table: user
  columns: { id: id, account: name, password: pass, last_server: zone, promoter: prom, registered: reg }
  banned: { column: locked, values: [1] }
links: { table: forum, player: who, refers_to: id, connect_id: forum_id }
servers: { table: zones, columns: { id: id, name: title, address: host, port: port } }`;
    expect(await trial.runImport('run', map)).toBe(0);
    expect(trial.lastLine).toBe('No problems found.');
    const created_at = new Date('2019-01-02T03:04:05Z');
    expect(await trial.players('id, server_id, agent_id, created_at')).toEqual([
      { id: 42, server_id: 3, agent_id: 7, created_at },
      { id: 43, server_id: 3, agent_id: 7, created_at },
    ]);
    expect(await trial.ours('SELECT player_id FROM player_ban')).toEqual([{ player_id: 42 }]);
    expect(await trial.ours('SELECT player_id FROM player_connect_threeparty')).toEqual([
      { player_id: 43 },
    ]);
    expect(await trial.ours('SELECT id, port FROM server')).toEqual([{ id: 3, port: 7000 }]);
    expect(await trial.runImport('verify', map)).toBe(0);
  });
});

describe('The character set of a column', () => {
  const COLUMNS = 'columns: { id: id, account: name, password: pass }';
  const MAP = `
players: { table: user, ${COLUMNS} }
bans: { table: bans, player: who, refers_to: id, until: null, reason: why }
servers: { table: zones, columns: { id: id, name: title, address: host, port: port } }`;
  const NAMED = `${MAP}\ncharsets: { user.name: latin1, bans.why: gbk, zones.title: big5 }`;
  const seen = async () => [
    (await trial.players('account')).map(({ account }) => account),
    (await trial.ours('SELECT reason FROM player_ban'))[0]!.reason,
    (await trial.ours('SELECT name FROM server'))[0]!.name,
  ];

  it('is guessed and shown with an example, unless the map specifies it', async () => {
    await connection.query(
      `CREATE TABLE user (id INT PRIMARY KEY, name VARBINARY(64), pass CHAR(32));
       CREATE TABLE bans (who INT, why VARBINARY(64));
       CREATE TABLE zones (id INT, title VARBINARY(64), host VARCHAR(9), port INT)`,
    );
    for (const [id, name] of ['Jürgen', 'Zoë', 'Çelik'].entries())
      await connection.query("INSERT INTO user VALUES (?, ?, REPEAT('a', 32))", [
        id + 1,
        encode(name, 'latin1'),
      ]);
    await connection.query('INSERT INTO bans VALUES (1, ?)', [encode('外挂', 'gbk')]);
    await connection.query("INSERT INTO zones VALUES (1, ?, 'z.example', 7000)", [
      encode('龍門', 'big5'),
    ]);
    expect(await trial.runImport('check', MAP)).toBe(0);
    const guessed = trial.report('check');
    expect(guessed).toMatch(/^bytes,1,Jürgen,"not utf8, but windows-1252: Jürgen, or gbk: J黵gen/m);
    expect(guessed).toMatch(/^ban reason,,1,"gbk: 外挂/m);
    expect(guessed).toMatch(/^server,,1,"?the name may be big5: 龍門/m);
    expect(await trial.runImport('run', NAMED)).toBe(0);
    expect(trial.lastLine).toBe('No problems found.');
    expect(await seen()).toEqual([['Jürgen', 'Zoë', 'Çelik'], '外挂', '龍門']);
    expect(await trial.runImport('verify', NAMED)).toBe(0);

    await connection.query("UPDATE bans SET why = X'b2bbd5fd81'");
    await trial.runImport('check', NAMED);
    expect(trial.report('check')).toMatch(/^ban reason,,1,not text: b2bbd5fd81/m);
  });
});
