import { afterAll, beforeAll, expect, it } from 'vitest';
import { ImportTrial } from '../support/import/import-trial.js';

/** Exceeds the size of a chunk, so that several chunks are written in parallel. */
const PLAYERS = 12_000;
const MAP = 'players: { table: people, columns: { account: name, password: pass } }';
let trial: ImportTrial;

beforeAll(async () => {
  trial = await ImportTrial.start();
});
afterAll(() => trial?.stop());

it('gatehouse import imports a table without ids once, and later only new and changed players', async () => {
  const { connection } = trial;
  const rows = Array.from({ length: PLAYERS }, (_, n) => `('named${n}', MD5(${n}))`);
  await connection.query(
    `CREATE TABLE people (name VARCHAR(16) PRIMARY KEY, pass CHAR(32));
     INSERT INTO people VALUES ${rows.join()}`,
  );
  const counts = () =>
    trial.ours('SELECT COUNT(*) AS players, COUNT(DISTINCT account) AS names FROM player');
  expect(await trial.runImport('run', MAP)).toBe(0);
  expect(await counts()).toEqual([{ players: PLAYERS, names: PLAYERS }]);

  await connection.query(
    `INSERT INTO people VALUES ('a newcomer', MD5('new'));
     UPDATE people SET pass = MD5('changed') WHERE name = 'named77'`,
  );
  expect(await trial.runImport('run', MAP)).toBe(0);
  expect(trial.printed).toContain('1 players moved, 1 brought up to date, 11 999 as they were');
  expect(await counts()).toEqual([{ players: PLAYERS + 1, names: PLAYERS + 1 }]);
  const [changed] = await trial.ours(
    "SELECT password = MD5('changed') AS isChanged FROM player WHERE account = 'named77'",
  );
  expect(changed).toEqual({ isChanged: 1 });
  expect(await trial.runImport('verify', MAP)).toBe(0);
});
