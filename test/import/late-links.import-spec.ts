import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ImportTrial } from '../support/import/import-trial.js';
import { until } from '../support/until.js';

const MAP = `
players: { table: people, columns: { id: id, account: name, password: pass } }
links: { table: links, player: who, refers_to: id, connect_id: forum_id }
`;
let trial: ImportTrial;

beforeAll(async () => {
  trial = await ImportTrial.start();
});
afterAll(() => trial?.stop());

it('gatehouse import imports the link of a player who registers during a run in the next run', async () => {
  const { connection } = trial;
  await connection.query(
    `CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(9), pass CHAR(32));
     CREATE TABLE links (who INT, forum_id VARCHAR(9));
     INSERT INTO people VALUES (1, 'early', '${'a'.repeat(32)}');
     INSERT INTO links VALUES (1, 'forum-1')`,
  );
  const inTheWay = await createConnection(trial.url);
  await inTheWay.query('LOCK TABLES links WRITE');
  const run = trial.runImport('run', MAP);
  const isWaiting = async () => {
    const [rows] = await connection.query<RowDataPacket[]>(
      `SELECT 1 FROM information_schema.processlist WHERE db = DATABASE() AND state LIKE 'Waiting for table%'`,
    );
    return rows.length > 0;
  };
  await until(isWaiting);
  expect(await trial.players('account')).toEqual([{ account: 'early' }]);
  await connection.query(`INSERT INTO people VALUES (2, 'late', '${'b'.repeat(32)}')`);
  await inTheWay.query("INSERT INTO links VALUES (2, 'forum-2')");
  await inTheWay.end();
  expect(await run).toBe(0);
  const linked = () =>
    trial.ours(
      `SELECT p.account, l.connect_id AS id FROM player_connect_threeparty l JOIN player p ON p.id = l.player_id ORDER BY 1`,
    );
  expect(await linked()).toEqual([{ account: 'early', id: 'forum-1' }]);

  expect(await trial.runImport('run', MAP)).toBe(0);
  expect(await linked()).toEqual([
    { account: 'early', id: 'forum-1' },
    { account: 'late', id: 'forum-2' },
  ]);
  expect(trial.lastLine).toBe('No problems found.');
});
