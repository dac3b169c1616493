import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CheckCommandModule } from '../../../src/operators/cli/check/check.command.js';
import { ServerChecks } from '../../../src/operators/cli/check/server-checks.js';
import { CommandModule } from '../../../src/operators/cli/command-context.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import {
  claimName,
  findOwnerless,
  reserveNames,
} from '../../../src/platform/auth/reserved-names.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { isMysql } from '../../../src/platform/database/sql.js';
import { unique } from '../../support/accounts.js';
import { createPlayer } from '../../support/api/factories.js';
import { allAtOnce, times } from '../../support/api/parallel.js';
import { register, registrationForm } from '../../support/api/registration.js';
import { Withdrawals } from '../../support/api/withdrawals.js';
import { until } from '../../support/until.js';

let w: Withdrawals;
let command: INestApplicationContext;

beforeAll(async () => {
  w = await Withdrawals.start();
  const root = CommandModule.forRoot(w.service.app.get(Environment), CheckCommandModule);
  const options = { logger: false, abortOnError: false } as const;
  command = await NestFactory.createApplicationContext(root, options);
});
afterAll(async () => {
  await command?.close();
  await w.stop();
});

const newName = () => unique('Former').slice(0, 20);
const hasPlayer = (account: string) =>
  w.service.database.getRepository(Player).existsBy({ account });
const registerAs = async (account: string) => {
  const form = await registrationForm(w.service, w.server);
  return register(w.service, { ...form, account });
};
const isReserved = async (name: string) =>
  (await w.service.database.query('SELECT 1 FROM reserved_name WHERE name = ?', [name])).length > 0;

describe('A name that owns roles in the game but belongs to no player', () => {
  it('cannot be registered in upper or lower case once gatehouse check has reported it', async () => {
    const name = newName();
    const role = await w.world.createRole(w.server, { account: name });
    const checks = command.get(ServerChecks);
    const lines = async () => (await checks.run(w.server)).map(({ text }) => text).join('\n');
    expect(await lines()).toContain(
      `1 names with roles have no player, and nobody can register them any more: ${name}`,
    );
    expect(await lines()).not.toContain(name);

    const form = await registrationForm(w.service, w.server);
    for (const account of [name, name.toLowerCase(), name.toUpperCase()])
      expect((await register(w.service, { ...form, account })).body.error).toBe('account_taken');
    expect((await register(w.service, form)).status).toBe(200);
    expect(await hasPlayer(name)).toBe(false);
    await w.world.removeRole(w.server, role);
  });

  it('is not reserved if it is the account name or game name of a player', async () => {
    const { account } = await createPlayer(w.service, { account: unique('Owner') });
    const { gameAccount } = await createPlayer(w.service, { gameAccount: unique('InGame') });
    const free = newName();
    const names = [account.toUpperCase(), gameAccount!.toLowerCase(), free];
    const { manager } = w.service.database;
    expect(await findOwnerless(manager, names)).toEqual([{ name: free, isReserved: false }]);
    expect(await reserveNames(w.service.database, names)).toEqual([free]);
    expect(await reserveNames(w.service.database, names)).toEqual([]);
    expect(await findOwnerless(manager, names)).toEqual([{ name: free, isReserved: true }]);
  });

  it('is reserved although other roles have names that the table cannot hold', async () => {
    const free = newName();
    const names = ['\u200b', free, '\u0000', '\u0301', 'x'.repeat(65)];
    expect(await reserveNames(w.service.database, names)).toEqual([free]);
  });

  it('stays with the player whose registration claimed it before it could be reserved', async () => {
    const { database } = w.service;
    const account = newName();
    const waiting = `SELECT 1 FROM information_schema.processlist WHERE info LIKE 'INSERT INTO reserved_name%${account}%'`;
    let isOver = false;
    let reserving: Promise<string[]> | undefined;
    await database.transaction(async (manager) => {
      expect(await claimName(manager, account)).toBe(true);
      reserving = reserveNames(database, [account]).finally(() => (isOver = true));
      // The embedded database runs one transaction at a time.
      if (isMysql(database))
        await until(async () => isOver || (await database.query(waiting)).length > 0);
      await manager.insert(Player, { account, password: '' });
    });
    expect(await reserving).toEqual([]);
    expect([await hasPlayer(account), await isReserved(account)]).toEqual([true, false]);
  });

  it('is either registered or reserved, never both, if both happen at the same time', async () => {
    const names = times(12, newName);
    const answers = await allAtOnce<unknown>(
      names.flatMap((name) => [
        () => registerAs(name),
        () => reserveNames(w.service.database, [name.toLowerCase()]),
      ]),
    );
    expect(answers).toHaveLength(24);
    for (const name of names)
      expect([name, await isReserved(name)]).toEqual([name, !(await hasPlayer(name))]);
  });
});
