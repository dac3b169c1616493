import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { ImportTrial } from '../support/import/import-trial.js';
import { createDatabase } from '../support/servers/mariadb.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';

const MAP =
  'players: { table: people, columns: { id: id, account: name, password: pass, last_login: seen } }';
/** The service reads 神龙 as this text if the table has the wrong character set. */
const MISREAD = 'ç¥žé¾™';
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
/** Creates a role of `${prefix}神龙` in a table with the right bytes, but the wrong character set. */
async function playInLatin1(prefix = ''): Promise<void> {
  await connection.query(`ALTER TABLE ${actors} MODIFY accountname VARCHAR(64) CHARSET latin1`);
  await play(prefix + MISREAD);
}
const run = async (map = MAP) => expect(await trial.runImport('run', map)).toBe(0);
const owners = async () =>
  (await trial.players('account, game_account')).map((row) => [row.account, row.game_account]);

/** Returns the ids of the players who are lost before the operator accepts anything. */
async function lost(map = MAP): Promise<string[]> {
  if ((await trial.runImport('verify', map)) === 0) return [];
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

  it('that a second player took belong to the first one, even if the game stores the name in another character set', async () => {
    await register(1, '神龙');
    await run();
    await register(2, '神龙');
    await playInLatin1();
    await run();
    expect(await owners()).toEqual([
      ['神龙', MISREAD],
      ['神龙~2', null],
    ]);
    expect(await lost()).toEqual(['2']);
  });

  it('that are created after a collision belong to the player who had the name, however the game spells it', async () => {
    await register(1, 'A神龙');
    await register(2, 'a神龙');
    await run();
    await register(3, 'a神龙');
    await playInLatin1('a');
    await run();
    expect(await owners()).toEqual([
      ['A神龙', 'A神龙'],
      ['a神龙~2', `a${MISREAD}`],
      ['a神龙~3', null],
    ]);
    expect(await lost()).toEqual(['3']);
  });

  it('stay with the first player if another server spells the name differently', async () => {
    await register(1, '神龙');
    await playInLatin1();
    await run();
    await connection.query(`ALTER TABLE ${actors} MODIFY accountname VARBINARY(64)`);
    await register(2, '神龙');
    await run();
    expect(await owners()).toEqual([
      ['神龙', MISREAD],
      ['神龙~2', null],
    ]);
  });

  it('that two servers spell differently stay with a renamed player, who is verified by one of the spellings', async () => {
    await register(1, 'A神龙');
    await register(2, 'a神龙');
    await playInLatin1('a');
    await run();
    const before = [
      ['A神龙', 'A神龙'],
      ['a神龙~2', `a${MISREAD}`],
    ];
    expect(await owners()).toEqual(before);
    const other = actors.replace(/\d(?=\D*$)/, (digit) => `0${digit}`);
    const [database] = other.split('.', 1);
    await connection.query(
      `CREATE DATABASE ${database}; CREATE TABLE ${other} (accountname VARCHAR(64) CHARSET utf8mb4)`,
    );
    try {
      await connection.query(`INSERT INTO ${other} VALUES ('a神龙')`);
      await run();
      expect(await lost()).toEqual([]);
      await register(3, 'a神龙');
      await run();
      expect(await owners()).toEqual([...before, ['a神龙~3', null]]);
      expect(await lost()).toEqual(['3']);
    } finally {
      await connection.query(`DROP DATABASE ${database}`);
    }
  });

  it('of a new player do not go to a player who was renamed to another spelling of that name', async () => {
    const map = `${MAP}\non_bad_hash: leave_behind`;
    for (const [at, name] of ['one', 'two', 'three', '', 'five', 'six'].entries())
      await register(at + 1, name);
    await run(map);
    for (const [at, name] of ['Wolf', 'padded ', 'Lord', 'wolf', 'Bear', 'Lion'].entries())
      await connection.query('UPDATE people SET name = ? WHERE id = ?', [name, at + 1]);
    for (const [at, name] of ['padded', 'BEAR', 'HERO'].entries()) await register(at + 7, name);
    await connection.query("INSERT INTO people VALUES (10, 'LION', 'no hash', 1)");
    for (const name of ['wolf', 'padded', 'lord', 'bear', 'hero', 'lion']) await play(name);
    await run(map);
    expect(await owners()).toEqual([
      ['Wolf', 'Wolf'],
      ['padded', 'padded '],
      ['Lord', 'lord'],
      ['wolf~4', 'wolf'],
      ['Bear', 'Bear'],
      ['Lion', 'lion'],
      ['padded~7', 'padded'],
      ['BEAR~8', 'BEAR'],
      ['HERO', 'hero'],
    ]);
    expect(await lost(map)).toEqual(['10', '7']);
  });

  it('stay with a renamed player who already has them, and a new player with that exact name is reported', async () => {
    await register(1, 'WOLF');
    await play('wolf');
    await run();
    await connection.query("UPDATE people SET name = 'Wolf' WHERE id = 1");
    await register(2, 'wolf');
    await run();
    expect(await owners()).toEqual([
      ['Wolf', 'wolf'],
      ['wolf~2', null],
    ]);
    expect(await lost()).toEqual(['2']);
  });

  it('with trailing spaces are not given to a second player', async () => {
    await register(1, 'Padded');
    await register(2, 'padded');
    await run();
    await connection.query('ALTER TABLE people MODIFY name VARBINARY(80)');
    await register(3, `padded${' '.repeat(60)}`);
    await run();
    expect(await owners()).toEqual([
      ['Padded', 'Padded'],
      ['padded~2', 'padded'],
      ['padded~3', null],
    ]);
  });

  it('that is already a game_account do not go to a later player, who is still imported', async () => {
    await register(1, 'Jose');
    await register(2, 'jose');
    await run();
    await register(3, 'jose');
    await play('JOSE');
    await run();
    expect(await owners()).toEqual([
      ['Jose', 'Jose'],
      ['jose~2', 'jose'],
      ['jose~3', null],
    ]);
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

  it('do not belong to a player whose name differs by the case of non-ASCII letters', async () => {
    await register(1, 'თამარ');
    await register(2, 'ᲗᲐᲛᲐᲠ');
    await play('ᲗᲐᲛᲐᲠ');
    await run();
    expect((await owners()).map(([, inGame]) => inGame)).toEqual([null, 'ᲗᲐᲛᲐᲠ']);
    expect(await lost()).toEqual([]);
  });
});
