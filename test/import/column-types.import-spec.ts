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

describe('an old table whose key is the account name', () => {
  const USER = `CREATE TABLE user (name VARCHAR(64) PRIMARY KEY, pass CHAR(32), mail VARCHAR(64), reg_time DATETIME) CHARSET gbk;
    INSERT INTO user SELECT CONCAT('李四', n), REPEAT(n, 32), '', '2019-01-02 11:04:05'
      FROM (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3 UNION SELECT 4) numbers`;
  const shipped = readFileSync(inProject('config/import.user.yaml'), 'utf8');

  it('is imported with config/import.user.yaml, also after it has changed', async () => {
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

  it('shows in the check how the old service hashed common passwords', async () => {
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

  it('may have a table of bans, of which those that have ended do not count', async () => {
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
    await trial.runImport('run', map);
    expect(await closed()).toEqual([false, false, false, true]);
    expect(await trial.runImport('verify', map)).toBe(0);
  });
});

describe('the registration time', () => {
  it.each([
    ['DATETIME', "'2019-01-02 11:04:05'"],
    ['TIMESTAMP NULL', 'FROM_UNIXTIME(1546398245)'],
    ['INT UNSIGNED', '1546398245'],
    ['BIGINT', '1546398245000'],
    ['VARCHAR(32)', "'2019/1/2 11:04:05'"],
    ['CHAR(14)', "'20190102110405'"],
  ])('is read from a column %s', async (type, value) => {
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
