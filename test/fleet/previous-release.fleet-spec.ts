import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Environment } from '../../src/config/environment.js';
import { startApp, type TestApp } from '../support/app.js';
import { PASSWORD } from '../support/factories.js';
import { inProject } from '../support/gatehouse-process.js';

/** One of each form that the release before this one sends, as `scripts/record-statements.mjs` found them. */
const statements = readFileSync(inProject('test/support/previous-release.sql'), 'utf8')
  .split(/;\n/)
  .filter(Boolean)
  // MySQL has no RETURNING; the release does without it there.
  .map((sql) => (inject('database').kind === 'mysql' ? sql.replace(/ RETURNING .*$/, '') : sql));

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.stop());

/** What fails, and why. */
async function replay(chosen: string[]): Promise<string[]> {
  const { DATABASE_URL } = service.app.get(Environment);
  const release = await createConnection({ uri: DATABASE_URL!, charset: 'utf8mb4' });
  await release.query(
    "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  );
  const failed: string[] = [];
  for (const sql of chosen)
    await release.query(sql).catch((error: Error) => failed.push(`${error.message}: ${sql}`));
  await release.end();
  return failed;
}

describe('the release before this one, on the schema of this one', () => {
  it('runs every statement that it has, while this one serves the players that it registered', async () => {
    expect(statements.length).toBeGreaterThan(100);
    const inserts = statements.filter((sql) => sql.startsWith('INSERT'));
    expect(await replay(inserts)).toEqual([]);

    const { PASSWORD_KEY } = service.app.get(Environment);
    const hash = createHash('md5')
      .update(PASSWORD + PASSWORD_KEY)
      .digest('hex');
    await service.database.query('UPDATE player SET password = ?', [hash]);
    const players = await service.database.query<Array<{ account: string }>>(
      'SELECT account FROM player',
    );
    expect(players.length).toBeGreaterThan(1);
    const logins = players.map(({ account }) =>
      service.client.post('/api/login', { account, password: PASSWORD }),
    );
    const others = statements.filter((sql) => !inserts.includes(sql));
    const [failed, ...answers] = await Promise.all([replay(others), ...logins]);
    expect(failed).toEqual([]);
    expect(answers.map(({ status }) => status)).toEqual(players.map(() => 200));
  });
});
