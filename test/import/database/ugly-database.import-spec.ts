import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { SECRETS } from '../../support/accounts.js';
import { ImportTrial } from '../../support/import/import-trial.js';
import { findDifferences } from '../../support/import/independent-verifier.js';
import { uglyMap, UglyDatabase } from '../../support/import/ugly-database.js';
import { createDatabase } from '../../support/servers/mariadb.js';
import { removeFolder, temporaryFolder } from '../../support/servers/temporary-folder.js';

const PLAYERS = 300;
const run = inject('database') as { rootUrl: string };
const folder = temporaryFolder('ugly');
let trial: ImportTrial;
let connection: Connection;
let game: Awaited<ReturnType<typeof createDatabase>>;
/** Each game database stores names in a different character set. */
let games: string[];
/** This database of a game server has no tables. */
let emptyGame: string;

beforeAll(async () => {
  game = await createDatabase(run.rootUrl);
  const gameName = new URL(game.url).pathname.slice(1);
  const settings = join(folder, 'settings.yaml');
  const pattern = gameName.replace(/\d(?=\D*$)/, '{server_id}');
  writeFileSync(settings, `game_database: { pattern: "${pattern}" }`);
  trial = await ImportTrial.start({ GAME_DATABASE_URL: run.rootUrl, SETTINGS_FILE: settings });
  connection = trial.connection;
  emptyGame = pattern.replace('{server_id}', '987654321');
  const more = [987_654_322, 987_654_323].map((id) => pattern.replace('{server_id}', String(id)));
  for (const name of [emptyGame, ...more]) await connection.query(`CREATE DATABASE ${name}`);
  games = [gameName, ...more];
});
beforeEach(async () => {
  await trial.clear();
  for (const name of games) await connection.query(`DROP TABLE IF EXISTS ${name}.actors`);
});
afterAll(async () => {
  for (const name of [emptyGame, ...games.slice(1)])
    await connection?.query(`DROP DATABASE IF EXISTS ${name}`);
  await trial?.stop();
  await game?.drop();
  removeFolder(folder);
});

const lines = (report: string) => report.split('\r\n').toSorted();

describe.each([
  { seed: 1, isView: false, isByName: false },
  { seed: 2, isView: true, isByName: false },
  { seed: 3, isView: false, isByName: false },
  { seed: 4, isView: true, isByName: false },
  { seed: 5, isView: false, isByName: true },
])('An irregular database with seed $seed', ({ seed, ...world }) => {
  it('is imported as the check predicts, and later changes are applied, without any difference', async () => {
    const old = new UglyDatabase(connection, games, SECRETS.PASSWORD_KEY, seed, world);
    await old.fill(PLAYERS);
    const MAP = uglyMap(world);
    const differences = () => findDifferences(connection, trial.here, old);

    expect(await trial.runImport('check', MAP)).toBe(0);
    expect(trial.printed).toContain(`${emptyGame} has no table actors and is left out`);
    expect(trial.report('check')).toMatch(/^server,,2,"the address """" is not a host",/m);
    expect(trial.report('check')).toMatch(/^server,,3,.*port ""70000""/m);
    expect(trial.report('check')).toMatch(/^server,,'-1,the id must be/m);
    expect(trial.report('check')).toMatch(/^agent,,0,the id must be/m);
    expect(await trial.runImport('run', MAP)).toBe(0);
    expect(lines(trial.report('run'))).toEqual(lines(trial.report('check')));
    expect(await trial.ours('SELECT id FROM server ORDER BY id')).toEqual([{ id: 1 }, { id: 900 }]);
    expect(await differences()).toEqual([]);

    for (let delta = 0; delta < 2; delta++) {
      await old.change();
      expect(await trial.runImport('run', MAP)).toBe(0);
      expect(await differences()).toEqual([]);
    }
    await trial.runImport('verify', MAP);
    expect(trial.report('verify')).not.toMatch(/^lost,(?!.*listed in run.csv)/m);
    const agreed = trial.reportPath('run');
    expect(await trial.runImport('verify', MAP, undefined, agreed)).toBe(0);
    expect(trial.lastLine).toMatch(/^3[0-2]\d players, \d+ proven, \d+ accepted, 0 lost$/);
  });
});

describe('The comparison of an import with the generated data', () => {
  it('finds every difference in a player, name, role, ban or link', async () => {
    const old = new UglyDatabase(connection, games, SECRETS.PASSWORD_KEY, 6);
    await old.fill(PLAYERS);
    expect(await trial.runImport('run', uglyMap())).toBe(0);
    const one = `(SELECT id FROM (SELECT MIN(id) AS id FROM player WHERE email IS NOT NULL AND game_account IS NOT NULL AND account NOT LIKE '%~%') p)`;
    for (const sql of [
      `UPDATE player SET password = '', email = NULL, game_account = NULL, server_id = 99, agent_id = 99, account = 'else',
         created_at = '2000-01-01', entered_at = '2000-01-01' WHERE id = ${one}`,
      "INSERT INTO player (account, password) VALUES ('newcomer', '')",
      'UPDATE player_ban SET lifted_at = created_at',
      'DELETE FROM player_connect_threeparty LIMIT 1',
    ])
      await trial.ours(sql);
    const found = await findDifferences(connection, trial.here, old);
    expect(new Set(found.map((text) => text.split(':', 1)[0]))).toEqual(
      new Set([
        'ban',
        'hash',
        'link',
        'login',
        'mailbox',
        'name',
        'player',
        'promoter',
        'registered',
        'roles',
        'server',
      ]),
    );
  });
});
