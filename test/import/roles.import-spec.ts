import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { ImportTrial } from '../support/import/import-trial.js';
import { createDatabase } from '../support/servers/mariadb.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';

const MAP =
  'players: { table: people, columns: { id: id, account: name, password: pass, last_login: seen } }';
const { rootUrl } = inject('database') as { rootUrl: string };
const folder = temporaryFolder('roles');
let trial: ImportTrial;
let connection: Connection;
let game: Awaited<ReturnType<typeof createDatabase>>;
let actors: string;

beforeAll(async () => {
  game = await createDatabase(rootUrl);
  const name = new URL(game.url).pathname.slice(1);
  const settings = join(folder, 'settings.yaml');
  const pattern = name.replace(/\d(?=\D*$)/, '{server_id}');
  writeFileSync(settings, `game_database: { pattern: "${pattern}" }`);
  trial = await ImportTrial.start({ GAME_DATABASE_URL: rootUrl, SETTINGS_FILE: settings });
  connection = trial.connection;
  actors = `${name}.actors`;
});
beforeEach(async () => {
  await trial.clear();
  await connection.query(
    `CREATE TABLE people (id INT PRIMARY KEY, name VARBINARY(64), pass CHAR(32), seen INT) CHARSET utf8mb4;
     DROP TABLE IF EXISTS ${actors};
     CREATE TABLE ${actors} (accountname VARBINARY(64))`,
  );
});
afterAll(async () => {
  await trial?.stop();
  await game?.drop();
  removeFolder(folder);
});

const register = (id: number, name: string) =>
  connection.query('INSERT INTO people VALUES (?, ?, MD5(?), ?)', [id, name, name, 1_600_000 - id]);
const play = (name: string) => connection.query(`INSERT INTO ${actors} VALUES (?)`, [name]);
const run = async () => expect(await trial.runImport('run', MAP)).toBe(0);
const owners = async () =>
  (await trial.players('account, game_account')).map((row) => [row.account, row.game_account]);

/** Returns the ids of the players who are lost before the operator accepts anything. */
async function lost(): Promise<string[]> {
  if ((await trial.runImport('verify', MAP)) === 0) return [];
  return trial.report('verify').match(/(?<=^lost,)\d+/gm) ?? [];
}

describe('The roles of a name', () => {
  it('that a second player took since the last run belong to the player who had it before', async () => {
    await register(1, 'dragon');
    await register(2, 'padded ');
    await register(3, 'Wolf');
    await run();
    expect(await owners()).toEqual([
      ['dragon', null],
      ['padded', null],
      ['Wolf', null],
    ]);
    await register(4, 'dragon');
    await register(5, 'padded');
    await register(6, 'wolf');
    for (const name of ['dragon', 'padded', 'Wolf', 'wolf']) await play(name);
    await run();
    expect(await owners()).toEqual([
      ['dragon', 'dragon'],
      ['padded', 'padded '],
      ['Wolf', 'Wolf'],
      ['dragon~4', null],
      ['padded~5', 'padded'],
      ['wolf~6', 'wolf'],
    ]);
    expect(trial.report('run')).toMatch(/^renamed: must be told,4,dragon,.*and the roles/m);
    expect(await lost()).toEqual(['4', '5']);
  });

  it('are stored in the next run if the player created them after the import', async () => {
    await register(1, 'newcomer');
    await run();
    await play('newcomer');
    await run();
    expect(await owners()).toEqual([['newcomer', 'newcomer']]);
  });

  it('belong to the same players after an interrupted run as after a clean one', async () => {
    const people: Array<[number, string]> = [
      [1, 'same'],
      [2, 'same'],
      [3, 'padded '],
      [4, 'padded'],
      [5, 'Case'],
      [6, 'case'],
    ];
    for (const [id, name] of people) await register(id, name);
    await play('SAME');
    await run();
    const clean = await owners();
    expect(clean).toEqual([
      ['same', 'same'],
      ['same~2', null],
      ['padded', 'padded '],
      ['padded~4', 'padded'],
      ['Case', 'Case'],
      ['case~6', 'case'],
    ]);
    // The interrupted run had written the players who lose their names, but not the others.
    await trial.ours(
      `DELETE f, m, p FROM import_player m JOIN player p ON p.id = m.player_id
         LEFT JOIN import_finding f ON f.old_key = m.old_key WHERE p.id IN (1, 3, 5)`,
    );
    await trial.ours('DELETE FROM import_chunk');
    await run();
    expect(await owners()).toEqual(clean);
  });

  it('do not belong to a player whose name differs by the case of letters that the game tells apart', async () => {
    await register(1, 'თამარ');
    await register(2, 'ᲗᲐᲛᲐᲠ');
    await play('ᲗᲐᲛᲐᲠ');
    await run();
    expect((await owners()).map(([, inGame]) => inGame)).toEqual([null, 'ᲗᲐᲛᲐᲠ']);
    expect(await lost()).toEqual([]);
  });
});
