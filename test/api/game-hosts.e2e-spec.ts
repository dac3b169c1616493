import { type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Environment } from '../../src/platform/config/environment.js';
import { Settings } from '../../src/platform/config/settings.js';
import { CommandModule } from '../../src/operators/cli/command.module.js';
import { CheckCommandModule } from '../../src/operators/cli/check/check-command.module.js';
import { ServerChecks } from '../../src/operators/cli/check/server-checks.js';
import { ServerCommandModule } from '../../src/operators/cli/server/server-command.module.js';
import { ServerCommand } from '../../src/operators/cli/server/server.command.js';
import { registerServer } from '../../src/operators/cli/server/server.registration.js';
import { deskUser, type DeskUser, startDesk, type TestDesk } from '../support/api/desk.js';
import { runCommand } from '../support/api/run-command.js';
import { expectLedgersToAgree, Withdrawals } from '../support/api/withdrawals.js';

/** The game server and the database listen on it; `localhost` reaches them as well, but is not listed. */
const LISTED = ['127.0.0.0/8', 'game1.example.com'];

let w: Withdrawals;
let desk: TestDesk;
let admin: DeskUser;
let otherGm: number;
let otherDatabase: number;
const contexts: INestApplicationContext[] = [];

beforeAll(async () => {
  w = await Withdrawals.start();
  // As if typed in SQL: the service itself has to refuse them.
  otherGm = await w.addServer({ gmAddress: 'localhost' });
  otherDatabase = await w.addServer({ dbHost: 'localhost' });
  desk = await startDesk(w.service);
  for (const app of [w.service.app, desk.app]) app.get(Settings).current.game_hosts = LISTED;
  admin = await deskUser(desk, 'admin');
});
afterAll(async () => {
  for (const context of contexts) await context.close();
  await desk.stop();
  await w.stop();
});

async function commandContext(module: Type) {
  const root = CommandModule.forRoot(w.service.app.get(Environment), module);
  const options = { logger: false, abortOnError: false } as const;
  const context = await NestFactory.createApplicationContext(root, options);
  context.get(Settings).current.game_hosts = LISTED;
  contexts.push(context);
  return context;
}

describe('A server whose hosts are not in game_hosts', () => {
  it('gets no withdrawal command, and the player learns that nothing was deducted', async () => {
    const rich = { ...(await w.createFundedRole(1000)), server: otherGm };
    rich.role = await w.world.createRole(otherGm, { account: rich.player.account });
    const answer = await w.withdraw(rich, 100);
    expect(answer.body.error).toBe('game_server_unavailable');
    expect(w.game.ledger.size).toBe(0);
    expect(await w.world.balanceOf(otherGm, rich.role)).toBe(1000);
    await expectLedgersToAgree(w.service.database, w.game.ledger);
  });

  it('has no database that is read', async () => {
    const { token } = await w.createFundedRole();
    const path = `/api/game/roles?server_id=${otherDatabase}`;
    expect((await w.service.client.get(path, { token })).body.error).toBe(
      'game_server_unavailable',
    );
    const listed = await w.service.client.get(`/api/game/roles?server_id=${w.server}`, { token });
    expect(listed.status).toBe(200);
  });

  it('is reported by gatehouse check', async () => {
    const checks = (await commandContext(CheckCommandModule)).get(ServerChecks);
    const problem = 'localhost is not in game_hosts of the settings';
    expect(await checks.run(otherGm)).toContainEqual({
      what: `server ${otherGm}`,
      state: 'wrong',
      text: `nothing is sent to its GM interface: ${problem}`,
    });
    expect(await checks.run(otherDatabase)).toContainEqual({
      what: `server ${otherDatabase}`,
      state: 'wrong',
      text: `the database of server ${otherDatabase} cannot be read: its db_host ${problem}`,
    });
    expect((await checks.run(w.server)).map(({ state }) => state)).toEqual(['good', 'good']);
  });

  it('is refused by gatehouse server, but can still be put into maintenance', async () => {
    const context = await commandContext(ServerCommandModule);
    const who = ['--by', 'anna', '--note', 'move', '--yes'];
    const act = (...args: string[]) =>
      runCommand(registerServer, context.get(ServerCommand), ['server', ...args, ...who]);
    for (const option of ['--gm-address', '--db-host', '--address'])
      await expect(act('set', `${w.server}`, option, 'rogue.example')).rejects.toThrow(
        'rogue.example is not in game_hosts of the settings',
      );
    await act('set', `${w.server}`, '--gm-address', 'Game1.example.com');
    await act('set', `${w.server}`, '--gm-address', 'none');
    expect((await act('maintenance', `${otherGm}`)).data).toMatchObject({ status: 'maintenance' });
  });

  it('is refused at the desk, and its row there says why', async () => {
    const body = { fields: { db_host: '198.51.100.7' }, note: 'move' };
    expect(await admin.post(`/api/servers/${w.server}`, body)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('198.51.100.7 is not in game_hosts') },
    });
    const { servers } = (await admin.get('/api/servers')).body.data as {
      servers: Array<{ row: { id: number }; problem: string | null }>;
    };
    expect(servers.find(({ row }) => row.id === otherDatabase)!.problem).toBe(
      'its db_host localhost is not in game_hosts of the settings',
    );
  });
});
