import { NestFactory } from '@nestjs/core';
import { CommanderError } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Environment } from '../../src/platform/config/environment.js';
import {
  WithdrawalCommand,
  WithdrawalCommandModule,
} from '../../src/operators/cli/withdrawal/withdrawal.command.js';
import { CommandModule } from '../../src/operators/cli/command-context.js';
import { until } from '../support/until.js';
import { Withdrawals } from '../support/api/withdrawals.js';
import { startWithdrawalCommand, type TestCommand } from '../support/api/run-command.js';

let w: Withdrawals;
let command: TestCommand;

beforeAll(async () => {
  w = await Withdrawals.start();
  command = await startWithdrawalCommand(w.service);
});
afterEach(() => {
  w.game.fault = () => 'none';
});
afterAll(async () => {
  await command.stop();
  await w.stop();
});

const runWords = (...words: string[]) => command.run(...words);
const run = (line: string, ...more: string[]) =>
  runWords(...line.split(' '), ...more, ...(/^(settle|reopen)/.test(line) ? ['--yes'] : []));

describe('gatehouse withdrawal', () => {
  it("says so if an order's game server can no longer be queried", async () => {
    const server = await w.addServer();
    await w.untilListed(`"id":${server},`);
    const rich = await w.createFundedRole(1000, server);
    w.game.fault = () => 'reset_after';
    await w.withdraw(rich, 100);
    await w.service.database.query(`UPDATE server SET gm_port = 9 WHERE id = ${server}`);
    const { id } = await w.rowOf(rich);
    const problem = `it was sent to 127.0.0.1:${w.game.port}/gm, but server ${server} names 127.0.0.1:9/gm now`;
    await until(async () => (await run(`show ${id}`)).text.includes(problem));
    expect((await run('list --status unknown')).text).toContain(`${id}: ${problem}`);
  });

  it('runs no migrations', async () => {
    const { database } = w.service;
    const names = async () => (await database.query('SELECT name FROM migrations')).length;
    const { name, timestamp } = (await database.query('SELECT * FROM migrations ORDER BY id')).at(
      -1,
    );
    await database.query(`DELETE FROM migrations WHERE name = '${name}'`);
    const before = await names();
    const other = await NestFactory.createApplicationContext(
      CommandModule.forRoot(w.service.app.get(Environment), WithdrawalCommandModule),
      { logger: false, abortOnError: false },
    );
    expect((await other.get(WithdrawalCommand).list({ limit: 1 })).data).toBeDefined();
    await other.close();
    expect(await names()).toBe(before);
    await database.query('INSERT INTO migrations (timestamp, name) VALUES (?, ?)', [
      timestamp,
      name,
    ]);
  });

  it.each([
    '',
    'fly',
    'list everything',
    'list --status gone',
    'list --limit 0',
    'show',
    'show abc',
    'show 1 2',
    'settle 1 refused --by a --note b',
    'settle 1 failed --by a',
    'settle 1 failed --note b',
    'settle 1 failed --by a --note b --force',
    'reopen',
    'reopen 1 --by a',
    'reopen 1 unknown --by a --note b',
    'orphans 1',
    'reconcile --date tomorrow',
    'reconcile --server x',
    'reconcile --date 2026-13-40',
  ])('rejects the arguments "%s"', async (line) => {
    await expect(run(line)).rejects.toBeInstanceOf(CommanderError);
  });

  it('rejects an unknown id', async () => {
    await expect(run('show 999999')).rejects.toThrow('no withdrawal 999999');
    await expect(run('settle 999999 failed --by a --note b')).rejects.toThrow('no withdrawal');
  });
});
