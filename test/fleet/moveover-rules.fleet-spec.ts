import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { parseEnvironment } from '../../src/config/parse-environment.js';
import { Moveover } from '../../src/moveover/moveover.js';
import { type Deployment, freshDeployment } from '../support/deployment.js';
import { inProject } from '../support/gatehouse-process.js';
import { createDatabase, type TestDatabase } from '../support/mariadb.js';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.js';

/** The command inside the test process: a dozen runs, each from its own old table. */
const folder = temporaryFolder('moveover-rules');
const printed = vi.spyOn(console, 'log').mockReturnValue();
let deployment: Deployment;
let old: TestDatabase;
let connection: Connection;

beforeAll(async () => {
  const run = inject('database');
  if (run.kind === 'embedded') throw new Error('the previous generation was on MariaDB or MySQL');
  deployment = await freshDeployment();
  old = await createDatabase(run.rootUrl);
  connection = await createConnection({
    uri: old.url,
    charset: 'utf8mb4',
    multipleStatements: true,
  });
  await connection.query(`USE ${old.name}`);
});
beforeEach(async () => {
  printed.mockClear();
  const [tables] = await connection.query<RowDataPacket[]>('SHOW TABLES');
  for (const table of tables.map((row) => String(Object.values(row)[0])))
    await connection.query(`DROP TABLE ${table}`);
  const ours = ['player', 'player_alias', 'moveover_player', 'moveover_chunk', 'moveover_state'];
  const [[there]] = await connection.query<RowDataPacket[]>(
    'SELECT 1 FROM information_schema.tables WHERE table_schema = ? AND table_name = ?',
    [here().replaceAll('`', ''), 'moveover_state'],
  );
  if (there) for (const table of ours) await connection.query(`DELETE FROM ${here()}.${table}`);
});
afterAll(async () => {
  printed.mockRestore();
  await connection?.end();
  await deployment?.drop();
  await old?.drop();
  removeFolder(folder);
});

const here = () => new URL(deployment.url).pathname.slice(1);

async function moveover(
  mode: 'check' | 'run' | 'verify',
  map: string,
  from = old.url,
): Promise<number> {
  const file = join(folder, 'map.yaml');
  writeFileSync(file, map);
  const environment = parseEnvironment({
    ...deployment.env,
    SETTINGS_FILE: inProject('config/settings.yaml'),
    AGREEMENT_FILE: inProject('config/agreement.html'),
  });
  const files = { map: file, report: folder };
  const command = new Moveover(environment, {
    mode,
    from,
    ...files,
    sample: 0,
    yes: false,
  });
  return command[mode]();
}

const lastLine = () => String(printed.mock.lastCall?.[0]);
const report = (name: string) => readFileSync(join(folder, `${name}.csv`), 'utf8');

async function players(columns: string): Promise<RowDataPacket[]> {
  const sql = `SELECT ${columns} FROM ${here()}.player ORDER BY id`;
  const [rows] = await connection.query<RowDataPacket[]>({ sql });
  return rows;
}

describe('bad input', () => {
  it('is told in a sentence, before anything is changed', async () => {
    await connection.query(
      'CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(9), pass CHAR(32))',
    );
    const columns = 'id: id, account: name, password: pass';
    const run = (more: string, rest = '', from?: string) =>
      moveover('run', `players: { table: people, columns: { ${columns}${more} } }\n${rest}`, from);
    const unless = 'or the user of --from may not read it';
    await expect(run(', email: mail, ip: ip')).rejects.toThrow(
      `the old table people has no column mail, ip, ${unless}`,
    );
    await expect(run('', 'links: { table: links, player: a, connect_id: b }')).rejects.toThrow(
      `the old database has no table links, ${unless}`,
    );
    const nowhere = new URL(old.url);
    nowhere.port = '1';
    await expect(run('', '', nowhere.href)).rejects.toThrow(
      /^the old database cannot be reached: /,
    );
    nowhere.port = new URL(old.url).port;
    nowhere.password = 'wrong';
    await expect(run('', '', nowhere.href)).rejects.toThrow(
      /^the old database refuses: Access denied/,
    );
    const [tables] = await connection.query(`SHOW TABLES FROM ${here()}`);
    expect(tables).toEqual([]);
  });
});

describe('the rules of a map', () => {
  const HASH = 'a'.repeat(32);
  const PEOPLE = `CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(64), pass CHAR(32), mail VARCHAR(64), seen INT)
    CHARSET utf8mb4 COLLATE utf8mb4_bin;
    INSERT INTO people VALUES
      (1, 'Twin', '${HASH}', 'one@mail.example', 1600000300), (2, 'twin', '${HASH}', 'one@mail.example', 1600000400),
      (3, 'same', '${HASH}', 'two@mail.example', 1600000200), (4, 'same', '${HASH}', 'Two@mail.example', 1600000100)`;
  const map = (rules: string) => `
players: { table: people, columns: { id: id, account: name, password: pass, email: mail, last_login: seen } }
${rules}`;
  const COLUMNS = `account, game_account AS inGame, email, disabled_at IS NOT NULL AS closed`;
  const seen = async () =>
    (await players(COLUMNS)).map(({ account, inGame, email, closed }) => [
      account,
      inGame,
      email,
      Number(closed),
    ]);

  it('suffix: all stay open, the last one who logged in keeps the name, and only the same name twice is lost', async () => {
    await connection.query(PEOPLE);
    expect(await moveover('check', map(''))).toBe(0);
    expect(report('check')).toMatch(
      /^name: the same name twice,4,same,"3 keeps it, and the roles/m,
    );
    expect(await moveover('run', map(''))).toBe(0);
    expect(await seen()).toEqual([
      ['Twin~1', 'Twin', null, 0],
      ['twin', 'twin', 'one@mail.example', 0],
      ['same', 'same', 'two@mail.example', 0],
      ['same~4', null, null, 0],
    ]);
    expect(report('run')).toMatch(
      /^"renamed, must be told",4,same,"the same name twice: same keeps it, and the roles in the game; now same~4, must be told the new name"/m,
    );
    expect(await moveover('verify', map(''))).toBe(1);
    expect(lastLine()).toBe('4 players, 3 proven, 1 lost');
    expect(report('verify')).toMatch(/^lost,4,same,/m);
  });

  it('keep_most_recent_login: the others are closed', async () => {
    await connection.query(PEOPLE);
    const rules = 'on_name_collision: keep_most_recent_login';
    expect(await moveover('run', map(rules))).toBe(0);
    expect(await seen()).toEqual([
      ['Twin~1', 'Twin', null, 1],
      ['twin', 'twin', 'one@mail.example', 0],
      ['same', 'same', 'two@mail.example', 0],
      ['same~4', null, null, 1],
    ]);
    expect(await moveover('verify', map(rules))).toBe(1);
    expect(lastLine()).toBe('4 players, 2 proven, 2 lost');
    expect(report('verify')).toMatch(/^lost,1,Twin,.*closed by on_name_collision/m);
  });

  it('keep_lowest_id, of names and of mailboxes', async () => {
    await connection.query(PEOPLE);
    const rules = 'on_name_collision: keep_lowest_id\non_shared_email: keep_lowest_id';
    expect(await moveover('run', map(rules))).toBe(0);
    expect(await seen()).toEqual([
      ['Twin', 'Twin', 'one@mail.example', 0],
      ['twin~2', 'twin', null, 1],
      ['same', 'same', 'two@mail.example', 0],
      ['same~4', null, null, 1],
    ]);
    expect(report('run')).toMatch(/^shared mailbox,2,twin,one@mail.example stays with Twin,/m);
  });

  it('on_shared_email: the last one who logged in keeps it, whoever was moved first', async () => {
    await connection.query(PEOPLE);
    await connection.query("UPDATE people SET name = CONCAT(name, id), mail = 'all@mail.example'");
    await moveover('run', map(''));
    expect((await seen()).map(([, , email]) => email)).toEqual([
      null,
      'all@mail.example',
      null,
      null,
    ]);
    await connection.query(
      `INSERT INTO people VALUES (5, 'late', '${HASH}', 'all@mail.example', 1600000500)`,
    );
    await moveover('run', map(''));
    expect((await seen()).map(([, , email]) => email)).toEqual([
      null,
      null,
      null,
      null,
      'all@mail.example',
    ]);
    expect(await moveover('verify', map(''))).toBe(0);
    expect(lastLine()).toBe('5 players, 5 proven, 0 lost');
  });

  it('on_bad_hash: leave_behind moves nobody who could not log in, and says so', async () => {
    await connection.query(PEOPLE);
    await connection.query(
      "DELETE FROM people WHERE id IN (2, 4); UPDATE people SET pass = '' WHERE id = 3",
    );
    await moveover('run', map('on_bad_hash: leave_behind'));
    expect((await seen()).map(([account]) => account)).toEqual(['Twin']);
    expect(report('run')).toMatch(/^not moved,3,same,hash: no hash,/m);
  });
});

describe('names as keys', () => {
  const USER = `CREATE TABLE user (name VARCHAR(64) PRIMARY KEY, pass CHAR(32), mail VARCHAR(64), reg_time DATETIME) CHARSET gbk;
    INSERT INTO user SELECT CONCAT('李四', n), MD5(n), '', '2019-01-02 11:04:05'
      FROM (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3 UNION SELECT 4) numbers`;
  const shipped = readFileSync(inProject('config/moveover.user.yaml'), 'utf8');

  it('are moved by the map that is shipped, take new ones in between, and are proven', async () => {
    await connection.query(USER);
    expect(await moveover('run', shipped)).toBe(0);
    await connection.query(
      "INSERT INTO user VALUES ('李四0', MD5('0'), '', NULL), ('王五', MD5('9'), '', NULL)",
    );
    await connection.query("UPDATE user SET pass = MD5('new') WHERE name = '李四3'");
    await moveover('run', shipped);
    expect(printed.mock.calls.join('\n')).toContain('2 players moved, 1 brought up to date');
    expect(await players('account, created_at')).toHaveLength(6);
    expect((await players('created_at'))[0]).toEqual({
      created_at: new Date('2019-01-02T03:04:05Z'),
    });
    expect(await moveover('verify', shipped)).toBe(0);
    expect(lastLine()).toBe('6 players, 6 proven, 0 lost');
  });

  it('are found by a table of bans, in which one that has ended is none', async () => {
    await connection.query(USER);
    await connection.query(`CREATE TABLE user_ban (who VARCHAR(64), ends VARCHAR(32)) CHARSET gbk;
      INSERT INTO user_ban VALUES ('李四1', NULL), ('李四2', '2019-01-02 11:04:05'), ('李四3', '4102444000'), ('nobody', NULL)`);
    const bans = 'bans: { table: user_ban, player: who, until: ends }';
    const map = shipped.replace(/^bans: null.*$/m, bans);
    await moveover('check', map);
    expect(report('check')).toMatch(/^ban lost,,nobody,/m);
    await moveover('run', map);
    const closed = async () =>
      (await players('disabled_at')).map(({ disabled_at }) => disabled_at !== null);
    expect(await closed()).toEqual([true, false, true, false]);
    await connection.query(
      "DELETE FROM user_ban WHERE who = '李四1'; INSERT INTO user_ban VALUES ('李四4', NULL)",
    );
    await moveover('run', map);
    expect(await closed()).toEqual([false, false, true, true]);
    expect(await moveover('verify', map)).toBe(0);
  });
});

describe('the time of registration', () => {
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
       INSERT INTO user VALUES (1, 'old', MD5('x'), ${value})`,
    );
    const columns = '{ id: id, account: name, password: pass, registered: reg }';
    await moveover('run', `timezone: "+08:00"\nplayers: { table: user, columns: ${columns} }`);
    expect(await players('created_at')).toEqual([{ created_at: new Date('2019-01-02T03:04:05Z') }]);
  });
});
