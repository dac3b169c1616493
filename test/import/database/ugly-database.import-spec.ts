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
const MAP = uglyMap();
const run = inject('database') as { rootUrl: string };
const folder = temporaryFolder('ugly');
let trial: ImportTrial;
let connection: Connection;
let game: Awaited<ReturnType<typeof createDatabase>>;
let gameName: string;
/** This database of a game server has no tables. */
let emptyGame: string;

beforeAll(async () => {
  game = await createDatabase(run.rootUrl);
  gameName = new URL(game.url).pathname.slice(1);
  const settings = join(folder, 'settings.yaml');
  const pattern = gameName.replace(/\d(?=\D*$)/, '{server_id}');
  writeFileSync(settings, `game_database: { pattern: "${pattern}" }`);
  trial = await ImportTrial.start({ GAME_DATABASE_URL: run.rootUrl, SETTINGS_FILE: settings });
  connection = trial.connection;
  emptyGame = pattern.replace('{server_id}', '987654321');
  await connection.query(`CREATE DATABASE ${emptyGame}`);
});
beforeEach(async () => {
  await trial.clear();
  await connection.query(`DROP TABLE IF EXISTS ${gameName}.actors`);
});
afterAll(async () => {
  await connection?.query(`DROP DATABASE IF EXISTS ${emptyGame}`);
  await trial?.stop();
  await game?.drop();
  removeFolder(folder);
});

const lines = (report: string) => report.split('\r\n').toSorted();

describe.each([1, 2, 3])('An irregular database with seed %i', (seed) => {
  it('is imported as the check predicts, with no player lost, swapped, banned or unbanned', async () => {
    const old = new UglyDatabase(connection, gameName, SECRETS.PASSWORD_KEY, seed);
    await old.fill(PLAYERS);
    const differences = () => findDifferences(connection, trial.oldName, trial.here, gameName);

    expect(await trial.runImport('check', MAP)).toBe(0);
    expect(trial.printed).toContain(`${emptyGame} has no table actors and is left out`);
    expect(trial.report('check')).toMatch(/^server,,2,"the address """" is no host",/m);
    expect(trial.report('check')).toMatch(/^server,,3,.*port ""70000""/m);
    expect(trial.report('check')).toMatch(/^server,,'-1,the id must be/m);
    expect(trial.report('check')).toMatch(/^agent,,0,the id must be/m);
    expect(await trial.runImport('run', MAP)).toBe(0);
    expect(lines(trial.report('run'))).toEqual(lines(trial.report('check')));
    expect(await trial.ours('SELECT id FROM server ORDER BY id')).toEqual([{ id: 1 }, { id: 900 }]);
    expect(await differences()).toEqual([]);

    await old.change();
    expect(await trial.runImport('run', MAP)).toBe(0);
    expect(await differences()).toEqual([]);
    await trial.runImport('verify', MAP);
    expect(trial.report('verify')).not.toMatch(/^lost,(?!.*listed in run.csv)/m);
    const agreed = trial.reportPath('run');
    expect(await trial.runImport('verify', MAP, undefined, agreed)).toBe(0);
    expect(trial.lastLine).toMatch(/^30\d players, \d+ proven, \d+ accepted, 0 lost$/);
  });
});
