import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Environment } from '../../src/platform/config/environment.js';
import { CommandModule } from '../../src/operators/cli/command.module.js';
import { OperatorCommandModule } from '../../src/operators/cli/operator/operator-command.module.js';
import { OperatorCommand } from '../../src/operators/cli/operator/operator.command.js';
import { registerOperator } from '../../src/operators/cli/operator/operator.registration.js';
import { ActionRefused } from '../../src/operators/actions/action-refused.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { startDesk, type TestDesk } from '../support/api/desk.js';
import { runCommand } from '../support/api/run-command.js';

let service: TestApp;
let desk: TestDesk;
let context: INestApplicationContext;

beforeAll(async () => {
  service = await startApp();
  desk = await startDesk(service);
  context = await NestFactory.createApplicationContext(
    CommandModule.forRoot(service.app.get(Environment), OperatorCommandModule),
    { logger: false, abortOnError: false },
  );
});
afterAll(async () => {
  await context.close();
  await desk.stop();
  await service.stop();
});

const run = (...args: string[]) =>
  runCommand(registerOperator, context.get(OperatorCommand), ['operator', ...args]);
const act = (...args: string[]) => run(...args, '--by', 'max', '--note', 'ticket 9', '--yes');

describe('gatehouse operator', () => {
  it.each([
    [['add', 'Anna', '--role', 'support'], 'a name is'],
    [['add', 'a', '--role', 'support'], 'a name is'],
    [['add', 'a'.repeat(33), '--role', 'support'], 'a name is'],
    [['add', "a'b", '--role', 'support'], 'a name is'],
    [['add', 'boss', '--role', 'boss'], 'a role is'],
    [['disable', 'nobody'], 'there is no operator nobody'],
    [['reset', 'nobody'], 'there is no operator nobody'],
    [['set-role', 'nobody', '--role', 'admin'], 'there is no operator nobody'],
  ])('refuses %j', async (args, why) => {
    const refused = act(...args);
    await expect(refused).rejects.toThrow(ActionRefused);
    await expect(refused).rejects.toThrow(why);
  });

  it.each([
    [[]],
    [['list', 'anna']],
    [['add', 'anna']],
    [['disable']],
    [['disable', 'anna', '--role', 'admin']],
    [['promote', 'anna']],
    [['add', 'anna', 'otto', '--role', 'admin']],
  ])('rejects the arguments %j', async (args) => {
    await expect(act(...args)).rejects.toThrow(CommanderError);
  });

  it('demands --by, --note and a confirmation', async () => {
    await expect(run('disable', 'twin', '--yes')).rejects.toThrow('--by');
    await expect(run('disable', 'twin', '--by', 'max', '--note', 'x')).rejects.toThrow('add --yes');
  });
});
