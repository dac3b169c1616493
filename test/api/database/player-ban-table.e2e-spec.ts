import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { PlayerBan } from '../../../src/platform/auth/player-ban.entity.js';
import { PASSWORD } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { createPlayer } from '../../support/api/factories.js';
import { documentedSql } from '../../support/documents/documented-sql.js';
import { runAsEditor } from '../../support/api/sql-editor.js';

let service: TestApp;

beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.stop());

async function typeBan(columns: object = {}): Promise<PlayerBan> {
  const { id } = await createPlayer(service);
  const row = { player_id: id, reason: "'cheating'", ...columns };
  const [names, values] = [Object.keys(row).join(), Object.values(row).join()];
  await runAsEditor(service, `INSERT INTO player_ban (${names}) VALUES (${values})`);
  return service.database.getRepository(PlayerBan).findOneByOrFail({ playerId: id });
}

describe('The player_ban table', () => {
  it('requires only a player and a reason, and dates the ban in UTC in any session', async () => {
    const ban = await typeBan();
    expect(ban).toMatchObject({ scope: 'all', note: '', createdBy: 'sql', until: null });
    expect(ban).toMatchObject({ liftedAt: null });
    expect(Math.abs(ban.createdAt.getTime() - Date.now())).toBeLessThan(600_000);
  });

  it.each([
    ['an unknown scope', { scope: "'login'" }],
    ['an empty scope', { scope: "''" }],
    ['an empty reason', { reason: "''" }],
    ['a blank reason', { reason: "' '" }],
    ['an end before the start', { until: "'2020-01-01 00:00:00'" }],
    ['an empty end', { until: "''" }],
    ['an empty lifting time', { lifted_at: "''" }],
    ['an empty author', { created_by: "''" }],
    ['a player who does not exist', { player_id: 2_000_000_000 }],
  ])('rejects %s', async (_, columns) => {
    await expect(typeBan(columns)).rejects.toThrow(/constraint/i);
  });
});

describe('The SQL for bans in docs/operations.md', () => {
  // docs/operations.md documents these expressions for the embedded database.
  const inDialect = (sql: string) =>
    inject('database').kind === 'embedded'
      ? sql
          .replaceAll('UTC_TIMESTAMP() + INTERVAL 3 DAY', "datetime('now', '+3 days')")
          .replaceAll('UTC_TIMESTAMP()', "datetime('now')")
      : sql;

  it('bans a player for three days, lists the ban, and lifts it', async () => {
    const account = 'dragon_slayer';
    await createPlayer(service, { account });
    const login = () => service.client.post('/api/login', { account, password: PASSWORD });
    const [ban, list, lift, ...others] = documentedSql('docs/operations.md')
      .filter((sql) => sql.includes('player_ban'))
      .map(inDialect);
    expect(others).toEqual([]);
    await service.database.query(ban!);
    const refused = (await login()).body;
    expect(refused).toMatchObject({ error: 'account_disabled', ban: { reason: 'botting' } });
    const days = (Date.parse(refused.ban.until) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(3);
    const listed = () => service.database.query<Array<{ account: string }>>(list!);
    expect(await listed()).toContainEqual(expect.objectContaining({ account, created_by: 'sql' }));
    await service.database.query(lift!);
    expect((await login()).status).toBe(200);
    expect(JSON.stringify(await listed())).not.toContain(account);
  });
});
