import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ImportTrial } from '../support/import/import-trial.js';

const HASH = 'a'.repeat(32);
let trial: ImportTrial;
let connection: Connection;

beforeAll(async () => {
  trial = await ImportTrial.start();
  connection = trial.connection;
});
beforeEach(() => trial.clear());
afterAll(() => trial?.stop());

const lines = (name: string) => trial.report(name).split('\r\n').toSorted();

/** Verifies the import and accepts what the run has listed. */
async function verifyAccepting(map: string): Promise<string | undefined> {
  expect(await trial.runImport('verify', map)).toBe(1);
  const listed = trial.reportPath('run');
  expect(await trial.runImport('verify', map, undefined, listed)).toBe(0);
  return trial.lastLine;
}

describe('An old row that does not fit into the account database', () => {
  it('is listed by the check and accepted by --accept, even if its texts are very long', async () => {
    const long = 'n'.repeat(300);
    await connection.query(
      `CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(400), pass CHAR(32));
       CREATE TABLE forum (who VARCHAR(400), forum_id VARCHAR(600));
       CREATE TABLE zones (id VARCHAR(400), title VARCHAR(9), host VARCHAR(9), port INT);
       INSERT INTO people VALUES (1, 'one', '${HASH}'), (2, '${long}', '${HASH}'), (3, 'three', '${HASH}');
       INSERT INTO forum VALUES ('${long}', 'forum-1'), ('${long}x', 'forum-2'), ('one', REPEAT('f', 600));
       INSERT INTO zones VALUES ('${long}', 'zone', 'z.example', 1)`,
    );
    const map = `
players: { table: people, columns: { id: id, account: name, password: pass } }
links: { table: forum, player: who, connect_id: forum_id }
servers: { table: zones, columns: { id: id, name: title, address: host, port: port } }`;
    expect(await trial.runImport('check', map)).toBe(0);
    expect(await trial.runImport('run', map)).toBe(0);
    expect(lines('run')).toEqual(lines('check'));
    expect(trial.report('run')).toMatch(/^not moved,2,n{255},"name: longer than 64/m);
    expect(await trial.players('account')).toEqual([{ account: 'one' }, { account: 'three' }]);
    expect(await verifyAccepting(map)).toBe('3 players, 1 proven, 2 accepted, 0 lost');
  });

  it('is recognised by the next run even if its key is a name of more than 192 bytes', async () => {
    const faces = '😀'.repeat(60);
    await connection.query(
      `CREATE TABLE people (name VARCHAR(250) PRIMARY KEY, pass CHAR(32)) CHARSET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT DYNAMIC;
       CREATE TABLE bans (who VARCHAR(250)) CHARSET utf8mb4;
       INSERT INTO people VALUES ('${faces}', '${HASH}'), ('${'n'.repeat(200)}', '${HASH}'), ('short', '${HASH}');
       INSERT INTO bans VALUES ('${faces}')`,
    );
    const map = `
players: { table: people, columns: { account: name, password: pass } }
bans: { table: bans, player: who }`;
    expect(await trial.runImport('run', map)).toBe(0);
    const banned = `SELECT p.account FROM player_ban b JOIN player p ON p.id = b.player_id WHERE b.lifted_at IS NULL`;
    expect(await trial.ours(banned)).toEqual([{ account: faces }]);
    expect(await verifyAccepting(map)).toBe('3 players, 2 proven, 1 accepted, 0 lost');
    await connection.query("UPDATE bans SET who = 'short'");
    expect(await trial.runImport('run', map)).toBe(0);
    expect(await trial.ours(banned)).toEqual([{ account: 'short' }]);
  });

  it('is listed with its current reason after it has changed', async () => {
    await connection.query(
      `CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(99), pass CHAR(32));
       INSERT INTO people VALUES (1, '', '${HASH}'), (2, 'two', '${HASH}')`,
    );
    const map = `
players: { table: people, columns: { id: id, account: name, password: pass } }
on_bad_hash: leave_behind`;
    expect(await trial.runImport('run', map)).toBe(0);
    expect(trial.report('run')).toMatch(/^not moved,1,,name: empty/m);
    await connection.query("UPDATE people SET name = 'one', pass = '' WHERE id = 1");
    expect(await trial.runImport('run', map)).toBe(0);
    expect(trial.report('run').match(/^not moved,.*$/gm)).toEqual([
      'not moved,1,one,hash: no hash,correct the old row',
    ]);
  });
});

describe('An imported row that becomes unusable in the old database', () => {
  it('leaves the imported player unchanged except for a ban, and is reported until it is corrected', async () => {
    const map = `
players:
  table: people
  columns: { id: id, account: name, password: pass, email: mail }
  banned: { column: status, values: [1] }
on_bad_hash: leave_behind`;
    await connection.query(
      `CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(99), pass CHAR(32), mail VARCHAR(64), status INT);
       INSERT INTO people SELECT n, CONCAT('player', n), '${HASH}', CONCAT(n, '@mail.example'), 0
         FROM (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3 UNION SELECT 4) numbers`,
    );
    expect(await trial.runImport('run', map)).toBe(0);
    const seen = () => trial.players('account, password, email');
    const before = await seen();
    await connection.query(
      `UPDATE people SET name = '  ', mail = 'new@mail.example', status = 1 WHERE id = 1;
       UPDATE people SET name = REPEAT('n', 70) WHERE id = 2;
       UPDATE people SET pass = '' WHERE id = 3`,
    );
    expect(await trial.runImport('run', map)).toBe(0);
    expect(await seen()).toEqual(before);
    const bans = 'SELECT player_id FROM player_ban WHERE lifted_at IS NULL';
    expect(await trial.ours(bans)).toEqual([{ player_id: 1 }]);
    expect(trial.report('run').match(/^not moved,[123],.*$/gm)).toHaveLength(3);
    expect(trial.report('run')).toMatch(/^not moved,1,.*name: empty.*,kept as it is here/m);
    expect(await verifyAccepting(map)).toBe('4 players, 1 proven, 3 accepted, 0 lost');

    await connection.query(
      `UPDATE people SET name = CONCAT('player', id), pass = '${HASH}', status = 0`,
    );
    expect(await trial.runImport('run', map)).toBe(0);
    expect(trial.lastLine).toBe('No problems found.');
    expect((await seen())[0]).toMatchObject({ account: 'player1', email: 'new@mail.example' });
    expect(await trial.runImport('verify', map)).toBe(0);
  });
});

describe('The mailbox of an old row', () => {
  it("must match the service's rule, and a player with neither mailbox nor hash is listed", async () => {
    await connection.query(
      `CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(99), pass CHAR(32), mail VARCHAR(99), seen INT)
         CHARSET utf8mb4 COLLATE utf8mb4_bin;
       INSERT INTO people VALUES (1, 'owner', '${HASH}', 'One@Mail.example', 1600000001),
         (2, 'lookalike', '${HASH}', 'one\u200b@mail.example', 1600000009),
         (3, 'local', '${HASH}', 'root@localhost', 1600000001), (4, 'odd', '', 'a..b@mail.example', 1600000001),
         (5, 'second', '', 'one@mail.example', 1600000000), (6, 'resets', '', 'six@mail.example', 1600000000)`,
    );
    const map =
      'players: { table: people, columns: { id: id, account: name, password: pass, email: mail, last_login: seen } }';
    expect(await trial.runImport('check', map)).toBe(0);
    expect(await trial.runImport('run', map)).toBe(0);
    expect(lines('run')).toEqual(lines('check'));
    const mailboxes = (await trial.players('email')).map(({ email }) => email);
    expect(mailboxes).toEqual(['one@mail.example', null, null, null, null, 'six@mail.example']);
    expect(trial.report('run').match(/^mailbox,\d/gm)).toEqual([
      'mailbox,2',
      'mailbox,3',
      'mailbox,4',
    ]);
    expect(trial.report('run').match(/^no way in,\d/gm)).toEqual(['no way in,4', 'no way in,5']);
  });
});

describe('The old player table', () => {
  const MAP = 'players: { table: people, columns: { id: id, account: name, password: pass } }';

  it('may be a view if its ids differ', async () => {
    await connection.query(
      `CREATE TABLE members (id INT, name VARCHAR(9), pass CHAR(32));
       INSERT INTO members VALUES (1, 'one', '${HASH}'), (2, 'two', '${HASH}');
       CREATE OR REPLACE VIEW people AS SELECT * FROM members`,
    );
    expect(await trial.runImport('run', MAP)).toBe(0);
    expect(await trial.players('account')).toHaveLength(2);
    await connection.query('UPDATE members SET id = 1');
    await expect(trial.runImport('run', MAP)).rejects.toThrow(
      'the view people has values of id more than once. Name a column whose values differ in players.columns.id',
    );
  });

  it('may have rows without an id if the map leaves them out', async () => {
    await connection.query(
      `CREATE TABLE people (id INT UNIQUE, name VARCHAR(9), pass CHAR(32));
       INSERT INTO people VALUES (1, 'one', '${HASH}'), (NULL, 'two', '${HASH}')`,
    );
    await expect(trial.runImport('check', MAP)).rejects.toThrow(
      'people.id is NULL in 1 rows. Give these rows a value, or leave them out with players.where: id IS NOT NULL',
    );
    const where = MAP.replace('people,', 'people, where: id IS NOT NULL,');
    expect(await trial.runImport('check', where)).toBe(0);
  });
});

describe('The report of an earlier step', () => {
  it('stays if the next step fails, and disappears once nothing is left to report', async () => {
    await connection.query(
      `CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(99), pass CHAR(32));
       CREATE TABLE zones (id INT, title VARCHAR(9), host VARCHAR(99), port INT);
       INSERT INTO people VALUES (1, '', '${HASH}');
       INSERT INTO zones VALUES (1, 'one', 's80 legend', 7000), (2, 'two', 's80.example', 7000)`,
    );
    const map = `
players: { table: people, columns: { id: id, account: name, password: pass } }
servers: { table: zones, columns: { id: id, name: title, address: host, port: port } }`;
    expect(await trial.runImport('run', map)).toBe(0);
    const before = trial.report('run');
    expect(before).toMatch(/^server,,1,"the address ""s80 legend"" is not a host"/m);
    expect(await trial.ours('SELECT id FROM server')).toEqual([{ id: 2 }]);
    const elsewhere = map.replace('table: people', 'table: people2');
    await connection.query('CREATE TABLE people2 LIKE people');
    await expect(trial.runImport('run', elsewhere)).rejects.toThrow('players were moved here from');
    expect(trial.report('run')).toBe(before);
    await connection.query("UPDATE people SET name = 'one'; DELETE FROM zones WHERE id = 1");
    expect(await trial.runImport('run', map)).toBe(0);
    expect(() => trial.report('run')).toThrow('ENOENT');
  });
});
