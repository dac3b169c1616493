import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Environment } from '../../src/config/environment.js';
import { Settings } from '../../src/config/settings.js';
import { dayIn } from '../../src/config/calendar-day.js';
import { UsageError, WithdrawalCommand } from '../../src/withdraw/command/withdrawal-command.js';
import { WithdrawalCommandModule } from '../../src/withdraw/command/withdrawal-command.module.js';
import { WithdrawalEvent } from '../../src/withdraw/record/withdrawal-event.entity.js';
import { type Fault, QUERY_OP } from '../support/game-server.js';
import { until } from '../support/until.js';
import { expectBooksToAgree, GM_PATIENCE, type Rich, Withdrawals } from '../support/withdrawals.js';

let w: Withdrawals;
let context: INestApplicationContext;

beforeAll(async () => {
  w = await Withdrawals.start();
  context = await NestFactory.createApplicationContext(
    WithdrawalCommandModule.forRoot(w.service.app.get(Environment)),
    { logger: false, abortOnError: false },
  );
});
afterEach(() => {
  w.game.fault = () => 'none';
});
afterAll(async () => {
  await context.close();
  await w.stop();
});

const run = (line: string, ...more: string[]) =>
  context.get(WithdrawalCommand).run([...line.split(' '), ...more]);

async function withdrawn(fault: Fault, amount = 100): Promise<Rich & { id: number }> {
  const rich = await w.createRich(1000);
  w.game.fault = () => fault;
  await w.withdraw(rich, amount);
  w.game.fault = () => 'none';
  return { ...rich, id: (await w.rowOf(rich)).id };
}

describe('npm run withdrawal', () => {
  it('lists withdrawals, also those of one status', async () => {
    const unknown = await withdrawn('reset_after');
    const succeeded = await withdrawn('none');
    const all = await run('list');
    expect(all.text).toMatch(new RegExp(`^ *${unknown.id}  unknown `, 'm'));
    expect(all.text).toMatch(new RegExp(`^ *${succeeded.id}  succeeded `, 'm'));
    const { text } = await run('list --status unknown');
    expect(text).toContain(`role${unknown.role}`);
    expect(text).not.toContain(`role${succeeded.role}`);
    expect((await run('list --status created')).text).toBe('There are none.');
    expect((await run('list --limit 1')).text.split('\n')).toHaveLength(3);
  });

  it('shows one with its story', async () => {
    const { id, player } = await withdrawn('error_after');
    const { text } = await run(`show ${id}`);
    expect(text).toContain(player.account);
    expect(text).toContain('HTTP 500');
    expect(text).toMatch(/sending +unknown +gm/);
  });

  it('settles an unknown one, once, and writes down by whom and why', async () => {
    const { id, ...rich } = await withdrawn('reset_before');
    await run(`settle ${id} failed --by anna --note`, 'not in the log of zone 1');
    expect((await w.rows({ id }))[0]).toMatchObject({ status: 'failed' });
    const events = await w.service.database
      .getRepository(WithdrawalEvent)
      .find({ where: { withdrawId: id }, order: { id: 'ASC' } });
    expect(events.at(-1)).toMatchObject({
      fromStatus: 'unknown',
      toStatus: 'failed',
      cause: 'person',
      evidence: 'anna: not in the log of zone 1',
    });
    await expect(run(`settle ${id} succeeded --by anna --note again`)).rejects.toThrow(
      'only an unknown one',
    );
    expect((await w.withdraw(rich, 100)).status).toBe(200);
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
    'reconcile --date tomorrow',
    'reconcile --date 2026-13-40',
  ])('refuses "%s"', async (line) => {
    await expect(run(line)).rejects.toBeInstanceOf(UsageError);
  });

  it('knows no withdrawal that does not exist', async () => {
    await expect(run('show 999999')).rejects.toThrow('no withdrawal 999999');
    await expect(run('settle 999999 failed --by a --note b')).rejects.toThrow('no withdrawal');
  });
});

describe('npm run withdrawal -- reconcile', () => {
  const reconcile = (day = dayIn('UTC', new Date())) => run(`reconcile --date ${day}`);

  it('gives the totals to compare by hand where the game cannot be asked', async () => {
    const rich = await w.createRich(1000);
    await w.withdraw(rich, 100);
    await w.withdraw(rich, 200);
    const { text, ok } = await reconcile();
    expect(ok).toBe(true);
    expect(text).toMatch(new RegExp(`${rich.role}  role${rich.role} +2 +300 +1000 +700$`, 'm'));
    expect((await run('reconcile')).text).not.toContain(`role${rich.role}`);
  });

  it('finds what the two sides tell differently, in either direction', async () => {
    await w.service.changeSettings({ withdraw: { ...GM_PATIENCE, gm_query_op: Number(QUERY_OP) } });
    await until(() => context.get(Settings).current.withdraw.gm_query_op !== null);
    const agreed = await withdrawn('none');
    const lost = await withdrawn('reset_before');
    const doubled = await withdrawn('reset_after');
    await expectBooksToAgree(w.service.database, w.game.ledger);
    await run(`settle ${lost.id} succeeded --by a --note wrong`);
    await run(`settle ${doubled.id} failed --by a --note wrong`);
    const { text, ok } = await reconcile();
    expect(ok).toBe(false);
    expect(text).toMatch(new RegExp(`^differs .* ${lost.id} .*succeeded +not_applied`, 'm'));
    expect(text).toMatch(new RegExp(`^differs .* ${doubled.id} .*failed +applied`, 'm'));
    expect(text).not.toMatch(new RegExp(`^differs .* ${agreed.id} `, 'm'));

    const long = await reconcile('2020-01-01');
    expect(long.ok).toBe(true);
  });
});
