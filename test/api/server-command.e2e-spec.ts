import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Environment } from '../../src/platform/config/environment.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { CommandModule } from '../../src/operators/cli/command.module.js';
import { ServerCommandModule } from '../../src/operators/cli/server/server-command.module.js';
import { ServerCommand } from '../../src/operators/cli/server/server.command.js';
import { registerServer } from '../../src/operators/cli/server/server.registration.js';
import { GameServer } from '../../src/features/servers/game-server.entity.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { addServer } from '../support/api/factories.js';
import { runCommand } from '../support/api/run-command.js';

let service: TestApp;
let context: INestApplicationContext;

beforeAll(async () => {
  service = await startApp();
  context = await NestFactory.createApplicationContext(
    CommandModule.forRoot(service.app.get(Environment), ServerCommandModule),
    { logger: false, abortOnError: false },
  );
});
afterAll(async () => {
  await context.close();
  await service.stop();
});

const run = (...args: string[]) =>
  runCommand(registerServer, context.get(ServerCommand), ['server', ...args]);
const act = (...args: string[]) => run(...args, '--by', 'anna', '--note', 'launch', '--yes');
const acts = (id: number) =>
  service.database
    .getRepository(AuditEvent)
    .find({ where: { subject: `server ${id}` }, order: { id: 'ASC' } });
const newServer = (server: Partial<GameServer> = {}) => addServer(service.database, server);

describe('gatehouse server', () => {
  it.each([
    ['--address', 'http://s1.example', 'its address is not a host name'],
    ['--address', '', '--address must be 1 to 255 characters long'],
    ['--name', 'x'.repeat(65), '--name must be 1 to 64 characters long'],
    ['--port', '70000', '--port must be a whole number from 1 to 65535'],
    ['--port', '7e3', '--port must be a whole number from 1 to 65535'],
    ['--status', 'opne', '--status must be one of new, normal'],
    ['--recommended', 'maybe', 'Allowed choices are yes, no'],
    ['--open-at', 'soon', 'a time such as'],
    ['--group', '', '--group must be 1 to 32 characters long'],
    ['--gm-address', 'http://10.0.0.1', 'its gm_address is not a host name'],
    ['--gm-path', 'gm', 'its gm_path does not start with /'],
    ['--db-host', 'db host', 'its db_host is not a host name'],
    ['--db-port', '0', '--db-port must be a whole number from 1 to 65535'],
  ])('rejects %s %j and writes nothing', async (option, value, problem) => {
    const { id } = await newServer();
    await expect(act('set', `${id}`, option, value)).rejects.toThrow(problem);
    expect((await acts(id)).filter(({ operator }) => operator === 'anna')).toEqual([]);
  });

  it('rejects a negative id and an id that exists', async () => {
    const fields = ['--name', 'z', '--address', 'a.example', '--port', '1'];
    await expect(act('add', '--id=-5', ...fields)).rejects.toThrow(
      '--id must be a whole number from 1',
    );
    const { id } = await newServer();
    await expect(act('add', '--id', `${id}`, ...fields)).rejects.toThrow('already');
    expect((await act('add', ...fields)).data).toMatchObject({ id: expect.any(Number) });
  });

  it.each([
    [['open', '1', '--as', 'closed', '--by', 'a', '--note', 'b', '--yes'], '--as'],
    [['open', '1', '--at', 'soon', '--by', 'a', '--note', 'b', '--yes'], '--at'],
    [['open', '1', '--at', '2020-01-01 10:00', '--by', 'a', '--note', 'b', '--yes'], '--at now'],
    [['show', 'x'], 'is not an id'],
    [['close', '--by', 'a', '--note', 'b', '--yes'], "missing required argument 'id'"],
    [['set', '1', '--id', '2', '--by', 'a', '--note', 'b', '--yes'], '--id'],
    [[], 'outputHelp'],
  ])('rejects the arguments %j', async (args, reason) => {
    const asked = async () => run(...args);
    await expect(asked()).rejects.toThrow(CommanderError);
    await expect(asked()).rejects.toThrow(reason);
  });
});
