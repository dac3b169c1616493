import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SECRETS } from '../support/accounts.js';
import { ImportTrial } from '../support/import/import-trial.js';

const HASH = 'a'.repeat(32);
const MAP = `
players: { table: people, columns: { id: id, account: name, password: pass, email: mail, last_login: seen } }
links: { table: forum, player: who, refers_to: id, connect_id: fid }`;
let trial: ImportTrial;
let connection: Connection;

beforeAll(async () => {
  trial = await ImportTrial.start();
  connection = trial.connection;
});
beforeEach(async () => {
  await trial.clear();
  await connection.query(
    `CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(64), pass CHAR(32), mail VARCHAR(64), seen INT)
       CHARSET utf8mb4 COLLATE utf8mb4_bin;
     CREATE TABLE forum (who INT, fid VARCHAR(64))`,
  );
});
afterAll(() => trial?.stop());

const insert = (...people: Array<[id: number, name: string, mail: string]>) =>
  connection.query(
    `INSERT INTO people VALUES ${people
      .map(
        ([id, name, mail]) =>
          `(${id}, '${name}', '${HASH}', '${mail}@mail.example', ${1_600_000_000 + id})`,
      )
      .join(', ')}`,
  );
const players = async () =>
  (await trial.players('id, account, email')).map(({ id, account, email }) => [
    id,
    account,
    email && String(email).split('@', 1)[0],
  ]);
const aliases = () => trial.ours('SELECT name, player_id AS id FROM player_alias ORDER BY name');
const links = async () =>
  (
    await trial.ours(
      'SELECT player_id AS id, connect_id AS fid FROM player_connect_threeparty ORDER BY 1',
    )
  ).map(({ id, fid }) => [id, fid]);

async function run(): Promise<void> {
  expect(await trial.runImport('run', MAP)).toBe(0);
}

/** Returns the last line of a verification for which the operator accepted what the run has listed. */
async function verify(): Promise<string | undefined> {
  let accept: string | undefined = trial.reportPath('run');
  try {
    trial.report('run');
  } catch {
    accept = undefined;
  }
  await trial.runImport('verify', MAP, undefined, accept);
  return trial.lastLine;
}

describe('A second run of the import', () => {
  it('applies swapped, taken and freed names, and loses no player', async () => {
    await insert(
      [1, 'anna', 'a'],
      [2, 'bert', 'b'],
      [3, 'Bob', 'c'],
      [4, 'bob', 'd'],
      [5, 'eva', 'e'],
    );
    await run();
    expect((await players()).map(([, account]) => account)).toEqual([
      'anna',
      'bert',
      'Bob~3',
      'bob',
      'eva',
    ]);
    await connection.query(
      `UPDATE people SET name = CASE id WHEN 1 THEN 'bert' WHEN 2 THEN 'anna' WHEN 3 THEN 'robert' ELSE 'BOB' END WHERE id IN (1, 2, 3, 5)`,
    );
    await insert([6, 'eva', 'f']);
    await run();
    expect((await players()).map(([, account]) => account)).toEqual([
      'bert',
      'anna',
      'robert',
      'bob',
      'BOB~5',
      'eva',
    ]);
    expect(await aliases()).toEqual([{ name: 'BOB', id: 5 }]);
    expect(trial.report('run').match(/^renamed,\d/gm)).toEqual(['renamed,5']);
    expect(await verify()).toBe('6 players, 6 proven, 0 accepted, 0 lost');
  });

  it('applies swapped, taken and freed mailboxes, and a hash that was removed', async () => {
    await insert(
      [1, 'p1', 'a'],
      [2, 'p2', 'b'],
      [3, 'p3', 'c'],
      [4, 'p4', 'd'],
      [5, 'p5', 'w'],
      [6, 'p6', 'w'],
      [7, 'p7', 'g'],
    );
    await run();
    expect((await players()).map(([, , mail]) => mail)).toEqual([
      'a',
      'b',
      'c',
      'd',
      null,
      'w',
      'g',
    ]);
    await connection.query(
      `UPDATE people SET mail = CASE id WHEN 1 THEN 'b@mail.example' WHEN 2 THEN 'a@mail.example'
         WHEN 3 THEN '' WHEN 4 THEN 'c@mail.example' WHEN 6 THEN 'v@mail.example' ELSE 'd@mail.example' END WHERE id NOT IN (5);
       UPDATE people SET pass = '' WHERE id = 3`,
    );
    await run();
    expect((await players()).map(([, , mail]) => mail)).toEqual([
      'b',
      'a',
      null,
      'c',
      'w',
      'v',
      'd',
    ]);
    expect((await trial.players('password'))[2]).toEqual({ password: '!'.repeat(32) });
    expect(trial.report('run').match(/^(?:hash|no way in|shared mailbox),\d/gm)).toEqual([
      'hash,3',
      'no way in,3',
    ]);
    await connection.query("UPDATE people SET mail = 'a@mail.example' WHERE id = 7");
    await run();
    expect((await players())[6]).toEqual([7, 'p7', null]);
    expect(trial.report('run')).toMatch(/^shared mailbox,7,p7,a@mail.example stays with p2/m);
    expect(await verify()).toBe('7 players, 7 proven, 0 accepted, 0 lost');
  });

  it('gives a freed mailbox to the player who waits for it, even if a run failed meanwhile', async () => {
    await insert([1, 'p1', 'a'], [2, 'p2', 'a']);
    await run();
    await connection.query("UPDATE people SET mail = 'b@mail.example' WHERE id = 2");
    await trial.ours(
      `CREATE TRIGGER refuse BEFORE UPDATE ON player FOR EACH ROW
         IF NEW.id = 1 AND NEW.email IS NOT NULL THEN SIGNAL SQLSTATE '45000'; END IF`,
    );
    try {
      await expect(run()).rejects.toThrow();
    } finally {
      await trial.ours('DROP TRIGGER refuse');
    }
    await run();
    expect((await players()).map(([, , mail]) => mail)).toEqual(['a', 'b']);
    expect(await verify()).toBe('2 players, 2 proven, 0 accepted, 0 lost');
  });

  it('removes, changes and moves links as the old database did, but restores none that a player removed', async () => {
    await insert([1, 'p1', 'a'], [2, 'p2', 'b'], [3, 'p3', 'c'], [4, 'p4', 'd']);
    await connection.query("INSERT INTO forum VALUES (1, 'f1'), (2, 'f2'), (3, 'f3'), (4, 'f4')");
    await run();
    await trial.ours('DELETE FROM player_connect_threeparty WHERE player_id = 4');
    await connection.query(
      "DELETE FROM forum WHERE who = 1; UPDATE forum SET who = 1 WHERE fid = 'f2'; UPDATE forum SET fid = 'new' WHERE who = 3",
    );
    await run();
    expect(await links()).toEqual([
      [1, 'f2'],
      [3, 'new'],
    ]);
    expect(trial.printed).toMatch(/^lost +–$/m);
    expect(await verify()).toBe('4 players, 3 proven, 0 accepted, 1 lost');
    expect(trial.printed).toMatch(/^lost +1 +\S+verify.csv$/m);
    await trial.ours(
      "INSERT INTO player_change (created_at, player_id, what, address, request_id) VALUES (UTC_TIMESTAMP(), 4, 'unlinked', '', '')",
    );
    expect(await verify()).toBe('4 players, 4 proven, 0 accepted, 0 lost');
    expect(trial.printed).toMatch(/^changed here +1 +\S+verify.csv$/m);
    expect(trial.printed).toMatch(/^moved +4$/m);
  });

  it('imports the link of a player who stayed behind until the old row was corrected', async () => {
    await insert([1, '', 'a'], [2, 'p2', 'b']);
    await connection.query("INSERT INTO forum VALUES (1, 'f1'), (2, 'f2')");
    await run();
    expect(await links()).toEqual([[2, 'f2']]);
    await connection.query("UPDATE people SET name = 'p1' WHERE id = 1");
    await run();
    expect(await links()).toEqual([
      [1, 'f1'],
      [2, 'f2'],
    ]);
    expect(await verify()).toBe('2 players, 2 proven, 0 accepted, 0 lost');
  });
});

describe('The verification of an import', () => {
  it.each([
    [
      'a replaced hash',
      `UPDATE player SET password = REPEAT('b', 32) WHERE id = 1`,
      'password',
      'password',
    ],
    ['a removed mailbox', 'UPDATE player SET email = NULL WHERE id = 1', 'mailbox', 'email'],
    [
      'a link to another player',
      'UPDATE player_connect_threeparty SET player_id = 3 WHERE player_id = 1',
      'link',
      'linked',
    ],
  ])('finds %s unless a recorded change explains it', async (_, sql, text, event) => {
    await insert([1, 'p1', 'a'], [2, 'p2', 'b'], [3, 'p3', 'c']);
    await connection.query("INSERT INTO forum VALUES (1, 'f1'), (2, 'f2')");
    await run();
    expect(await verify()).toBe('3 players, 3 proven, 0 accepted, 0 lost');
    await trial.ours(sql);
    expect(await verify()).toBe('3 players, 2 proven, 0 accepted, 1 lost');
    expect(trial.report('verify')).toMatch(new RegExp(`^lost,1,p1,${text} changed here,`, 'm'));
    await trial.ours(
      `INSERT INTO player_change (created_at, player_id, what, address, request_id) VALUES (UTC_TIMESTAMP(), 1, '${event}', '', '')`,
    );
    expect(await verify()).toBe('3 players, 3 proven, 0 accepted, 0 lost');
    expect(trial.report('verify')).toMatch(
      new RegExp(`^changed here,1,p1,${text} changed here,`, 'm'),
    );
  });
});

describe('gatehouse import --try', () => {
  it('checks PASSWORD_KEY with a known password, which a complete verification requires', async () => {
    await insert([1, 'p1', 'a']);
    await connection.query(
      `UPDATE people SET pass = MD5('uncommon phrase${SECRETS.PASSWORD_KEY}')`,
    );
    await run();
    const verifyKnowing = (known: string) =>
      trial.runImport('verify', MAP, undefined, undefined, known);
    await expect(verifyKnowing('p1:wrong')).rejects.toThrow(
      'the hash of p1 is of another password, or of another PASSWORD_KEY',
    );
    await expect(verifyKnowing('p2:x')).rejects.toThrow('the old table has no account p2');
    expect(await trial.runImport('verify', MAP, undefined, undefined, '')).toBe(1);
    expect(trial.lastLine).toContain('nothing is proven while PASSWORD_KEY may be wrong');
    expect(await verifyKnowing('p1:uncommon phrase')).toBe(0);
    expect(trial.printed).toContain('the hash of p1 is keyed');
    expect(await trial.runImport('verify', MAP)).toBe(0);
  });
});
