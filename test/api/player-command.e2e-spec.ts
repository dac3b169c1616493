import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandModule } from '../../src/operators/cli/command.module.js';
import { PlayerCommandModule } from '../../src/operators/cli/player/player-command.module.js';
import { PlayerCommand } from '../../src/operators/cli/player/player.command.js';
import { registerPlayer } from '../../src/operators/cli/player/player.registration.js';
import { Player } from '../../src/platform/auth/player.entity.js';
import { Environment } from '../../src/platform/config/environment.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer } from '../support/api/factories.js';
import { ProbeModule } from '../support/api/probe.js';
import { runCommand } from '../support/api/run-command.js';

let service: TestApp;
let context: INestApplicationContext;

beforeAll(async () => {
  service = await startApp({ extraModules: [ProbeModule] });
  context = await NestFactory.createApplicationContext(
    CommandModule.forRoot(service.app.get(Environment), PlayerCommandModule),
    { logger: false, abortOnError: false },
  );
});
afterAll(async () => {
  await context.close();
  await service.stop();
});

const WHO = ['--by', 'anna', '--note', 'ticket 811', '--yes'];
const run = (...args: string[]) =>
  runCommand(registerPlayer, context.get(PlayerCommand), ['player', ...args]);
const stored = (id: number) => service.database.getRepository(Player).findOneByOrFail({ id });
const lastAct = async (id: number) =>
  (
    await service.database
      .getRepository(AuditEvent)
      .find({ where: { subject: `player ${id}` }, order: { id: 'DESC' } })
  )[0];

describe('gatehouse player', () => {
  it.each([
    [['disable', 'x', '--by', 'anna', '--yes'], '--note'],
    [['disable', 'x', '--note', 'why', '--yes'], '--by'],
    [['disable', 'x', '--by', 'anna', '--note', ' ', '--yes'], '--note'],
    [['set-email', 'x', ...WHO], '--email'],
    [['explode', 'x', ...WHO], 'explode'],
    [['show'], "missing required argument 'who'"],
    [[], 'outputHelp'],
    [['logins', 'x', '--since', 'yesterday'], '--since'],
    [['show', 'x', '--force'], '--force'],
  ])('rejects the arguments %j', async (args, reason) => {
    await createPlayer(service, { account: 'x' }).catch(() => undefined);
    await expect(run(...args)).rejects.toThrow(CommanderError);
    await expect(run(...args)).rejects.toThrow(reason);
  });

  it('lists both players and does nothing where an old name of one is the name of another', async () => {
    const kept = await createPlayer(service, { account: 'lordsilver' });
    const renamed = await createPlayer(service, { account: 'Lordsilver~7' });
    await service.database.query(
      `INSERT INTO player_alias (name, player_id) VALUES ('Lordsilver', ${renamed.id})`,
    );
    await expect(run('disable', 'Lordsilver', ...WHO)).rejects.toThrow(
      `"Lordsilver" is several players, say which: id:${kept.id} (lordsilver), id:${renamed.id} (Lordsilver~7)`,
    );
    expect((await stored(kept.id)).disabledAt).toBeNull();
    expect((await stored(renamed.id)).disabledAt).toBeNull();
    await run('disable', 'lordsilver', ...WHO);
    expect((await stored(kept.id)).disabledAt).not.toBeNull();
    await expect(run('rename', 'lordsilver', '--to', 'Lordsilver', ...WHO)).rejects.toThrow(
      'another player signs in as Lordsilver',
    );
  });

  it('finds a renamed player by the old name', async () => {
    const renamed = await createPlayer(service, { account: 'Moon~8' });
    await service.database.query(
      `INSERT INTO player_alias (name, player_id) VALUES ('Moon', ${renamed.id})`,
    );
    await run('disable', 'Moon', ...WHO);
    expect((await stored(renamed.id)).disabledAt).not.toBeNull();
  });

  it('demands a confirmation before it acts', async () => {
    const { id, account } = await createPlayer(service);
    const asked = run('disable', account, '--by', 'anna', '--note', 'why');
    await expect(asked).rejects.toThrow('add --yes');
    await expect(asked).rejects.toThrow(`disables ${account}`);
    expect((await stored(id)).disabledAt).toBeNull();
    expect(await lastAct(id)).toBeUndefined();
  });
});
