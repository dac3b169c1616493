import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { isDuplicateKey } from '../../../src/platform/database/database-errors.js';
import { inOneTrip, MADE, type Step } from '../../../src/platform/database/one-trip.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { createPlayer, unique } from '../../support/api/factories.js';
import { inParallel } from '../../support/api/parallel.js';

let service: TestApp;
let database: DataSource;

beforeAll(async () => {
  service = await startApp();
  database = service.database;
});
afterAll(() => service.stop());

describe('inOneTrip', () => {
  const insert = (account: string): Step => ({
    sql: "INSERT INTO player (account, password) VALUES (?, '')",
    values: [account],
  });
  const ENTER = 'UPDATE player SET enter_count = enter_count + 1 WHERE id =';
  const enter = (id: number): Step => ({ sql: `${ENTER} ?`, values: [id] });
  const enterMade: Step = { sql: `${ENTER} ${MADE}`, values: [] };
  const entriesOf = async (account: string) =>
    (await database.getRepository(Player).findOneBy({ account }))?.enterCount;

  if (inject('database').kind !== 'mariadb') {
    it('does nothing on a server without compound statements', async () => {
      const account = unique('whole');
      expect(await inOneTrip(database, [insert(account), enterMade])).toBeUndefined();
      expect(await entriesOf(account)).toBeUndefined();
    });
    return;
  }

  it('runs all statements and returns the id that it created', async () => {
    const account = unique("'; COMMIT; --");
    const done = await inOneTrip(database, [insert(account), enterMade, enterMade]);
    const player = await database.getRepository(Player).findOneByOrFail({ account });
    expect(done).toEqual({ made: player.id });
    expect(player.enterCount).toBe(2);
  });

  it.each<[string, Step]>([
    ['a statement changes nothing', enter(0)],
    ['a condition does not hold', { condition: '(SELECT COUNT(*) FROM player) < ?', values: [1] }],
  ])('does nothing where %s', async (_, step) => {
    const account = unique('whole');
    expect(await inOneTrip(database, [insert(account), step, enterMade])).toBeUndefined();
    expect(await inOneTrip(database, [insert(account), enterMade, step])).toBeUndefined();
    expect(await entriesOf(account)).toBeUndefined();
  });

  it('leaves no change and no lock when a statement fails', async () => {
    const { id, account } = await createPlayer(service);
    const failing = inOneTrip(database, [enter(id), insert(account)]);
    await expect(failing).rejects.toSatisfy(isDuplicateKey);
    expect(await entriesOf(account)).toBe(0);
    // More than the pool has connections, so that each is used once more.
    await inParallel(() => inOneTrip(database, [enter(id)]), 12);
    expect(await entriesOf(account)).toBe(12);
  });

  it('still works after a migration has changed the table', async () => {
    const { id, account } = await createPlayer(service);
    const enterAll = () => inParallel(() => inOneTrip(database, [enter(id)]), 12);
    await enterAll();
    await database.query('ALTER TABLE player ADD COLUMN trip_test INT');
    await enterAll();
    await database.query('ALTER TABLE player DROP COLUMN trip_test');
    await enterAll();
    expect(await entriesOf(account)).toBe(36);
  });
});
