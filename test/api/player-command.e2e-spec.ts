import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlayerCommandModule } from '../../src/operators/cli/player/player-command.module.js';
import { PlayerCommand } from '../../src/operators/cli/player/player.command.js';
import { Player } from '../../src/platform/auth/player.entity.js';
import { UsageError } from '../../src/operators/cli/command.js';
import { Environment } from '../../src/platform/config/environment.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer } from '../support/api/factories.js';
import { ProbeModule } from '../support/api/probe.js';

let service: TestApp;
let context: INestApplicationContext;

beforeAll(async () => {
  service = await startApp({ extraModules: [ProbeModule] });
  context = await NestFactory.createApplicationContext(
    PlayerCommandModule.forRoot(service.app.get(Environment)),
    { logger: false, abortOnError: false },
  );
});
afterAll(async () => {
  await context.close();
  await service.stop();
});

const WHO = ['--by', 'anna', '--note', 'ticket 811', '--yes'];
const run = (...args: string[]) => context.get(PlayerCommand).run(args);
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
    [['disable', 'x', '--note', 'why', '--yes'], '--note'],
    [['set-email', 'x', ...WHO], '--email'],
    [['explode', 'x', ...WHO], 'explode'],
    [['show'], 'not understood'],
    [[], 'say what'],
    [['logins', 'x', '--since', 'yesterday'], '--since'],
    [['show', 'x', '--force'], '--force'],
  ])('rejects the arguments %j', async (args, reason) => {
    await createPlayer(service, { account: 'x' }).catch(() => undefined);
    await expect(run(...args)).rejects.toThrow(UsageError);
    await expect(run(...args)).rejects.toThrow(reason);
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
