import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ImportTrial } from '../support/import/import-trial.js';

let trial: ImportTrial;
let connection: Connection;

beforeAll(async () => {
  trial = await ImportTrial.start();
  connection = trial.connection;
});
beforeEach(() => trial.clear());
afterAll(() => trial?.stop());

describe('A wrong import map or URL', () => {
  it('is reported in one sentence before anything changes', async () => {
    await connection.query(
      'CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(9), pass CHAR(32))',
    );
    const columns = 'id: id, account: name, password: pass';
    const run = (more: string, rest = '', from?: string) =>
      trial.runImport(
        'run',
        `players: { table: people, columns: { ${columns}${more} } }\n${rest}`,
        from,
      );
    const links = 'links: { table: links, player: a, connect_id: b }';
    await expect(run(', email: mail, ip: ip', links)).rejects.toThrow(
      'the old table people has no column mail, ip\nthe old database has no table links\n(or the user of --from may not read it)',
    );
    const nowhere = new URL(trial.url);
    nowhere.port = '1';
    await expect(run('', '', nowhere.href)).rejects.toThrow(
      /^the old database cannot be reached: /,
    );
    nowhere.port = new URL(trial.url).port;
    nowhere.password = 'wrong';
    await expect(run('', '', nowhere.href)).rejects.toThrow(
      /^the old database refuses: Access denied/,
    );
    expect(await trial.tables()).toEqual([]);
  });
});

describe('The import rule', () => {
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
    (await trial.players(COLUMNS)).map(({ account, inGame, email, closed }) => [
      account,
      inGame,
      email,
      Number(closed),
    ]);

  it('suffix keeps all accounts open and gives the name to the most recent login', async () => {
    await connection.query(PEOPLE);
    expect(await trial.runImport('check', map(''))).toBe(0);
    expect(trial.report('check')).toMatch(
      /^renamed: must be told,4,same,"the same name twice: same \(3\) keeps it, and the roles in the game; now same~4"/m,
    );
    expect(await trial.runImport('run', map(''))).toBe(0);
    expect(trial.report('run')).toBe(trial.report('check'));
    expect(await seen()).toEqual([
      ['Twin~1', 'Twin', null, 0],
      ['twin', 'twin', 'one@mail.example', 0],
      ['same', 'same', 'two@mail.example', 0],
      ['same~4', null, null, 0],
    ]);
    expect(await trial.runImport('verify', map(''))).toBe(1);
    expect(trial.lastLine).toBe('4 players, 3 proven, 0 accepted, 1 lost');
    expect(trial.report('verify')).toMatch(/^lost,4,same,/m);
    const agreed = trial.reportPath('run');
    expect(await trial.runImport('verify', map(''), undefined, agreed)).toBe(0);
    expect(trial.lastLine).toBe('4 players, 3 proven, 1 accepted, 0 lost');
  });

  it('keep_most_recent_login closes the other accounts', async () => {
    await connection.query(PEOPLE);
    const rules = 'on_name_collision: keep_most_recent_login';
    expect(await trial.runImport('run', map(rules))).toBe(0);
    expect(await seen()).toEqual([
      ['Twin~1', 'Twin', null, 1],
      ['twin', 'twin', 'one@mail.example', 0],
      ['same', 'same', 'two@mail.example', 0],
      ['same~4', null, null, 1],
    ]);
    expect(await trial.runImport('verify', map(rules))).toBe(1);
    expect(trial.lastLine).toBe('4 players, 2 proven, 0 accepted, 2 lost');
    expect(trial.report('verify')).toMatch(/^lost,1,Twin,.*closed by on_name_collision/m);
    const agreed = trial.reportPath('run');
    expect(await trial.runImport('verify', map(rules), undefined, agreed)).toBe(0);
    expect(trial.lastLine).toBe('4 players, 2 proven, 2 accepted, 0 lost');
  });

  it('keep_lowest_id applies to names and to e-mail addresses', async () => {
    await connection.query(PEOPLE);
    const rules = 'on_name_collision: keep_lowest_id\non_shared_email: keep_lowest_id';
    expect(await trial.runImport('run', map(rules))).toBe(0);
    expect(await seen()).toEqual([
      ['Twin', 'Twin', 'one@mail.example', 0],
      ['twin~2', 'twin', null, 1],
      ['same', 'same', 'two@mail.example', 0],
      ['same~4', null, null, 1],
    ]);
    expect(trial.report('run')).toMatch(
      /^shared mailbox,2,twin,one@mail.example stays with Twin,/m,
    );
  });

  it('on_shared_email gives the e-mail address to the most recent login, but never takes it from an imported player', async () => {
    await connection.query(PEOPLE);
    await connection.query("UPDATE people SET name = CONCAT(name, id), mail = 'all@mail.example'");
    await trial.runImport('run', map(''));
    expect((await seen()).map(([, , email]) => email)).toEqual([
      null,
      'all@mail.example',
      null,
      null,
    ]);
    await connection.query(
      `INSERT INTO people VALUES (5, 'late', '${HASH}', 'all@mail.example', 1600000500)`,
    );
    await trial.runImport('run', map(''));
    expect((await seen()).map(([, , email]) => email)).toEqual([
      null,
      'all@mail.example',
      null,
      null,
      null,
    ]);
    expect(await trial.runImport('verify', map(''))).toBe(0);
    expect(trial.lastLine).toBe('5 players, 5 proven, 0 accepted, 0 lost');
    expect(trial.report('run')).toMatch(/^shared mailbox,1,Twin1,.* stays with twin2,/m);
    expect(trial.report('run')).toMatch(/^shared mailbox,5,late,.* stays with twin2,/m);
    expect(trial.report('run').match(/^\ufeff?class,/gm)).toHaveLength(1);
  });

  it('on_bad_hash: leave_behind skips and reports players who could not log in', async () => {
    await connection.query(PEOPLE);
    await connection.query(
      "DELETE FROM people WHERE id IN (2, 4); UPDATE people SET pass = '' WHERE id = 3",
    );
    await trial.runImport('run', map('on_bad_hash: leave_behind'));
    expect((await seen()).map(([account]) => account)).toEqual(['Twin']);
    expect(trial.report('run')).toMatch(/^not moved,3,same,hash: no hash,/m);
  });
});
