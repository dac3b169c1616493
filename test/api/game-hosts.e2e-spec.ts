import { type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Environment } from '../../src/platform/config/environment.js';
import { Settings } from '../../src/platform/config/settings.js';
import { CommandModule } from '../../src/operators/cli/command-context.js';
import { CheckCommandModule } from '../../src/operators/cli/check/check.command.js';
import { ServerChecks } from '../../src/operators/cli/check/server-checks.js';
import {
  ServerCommandModule,
  ServerCommand,
} from '../../src/operators/cli/server/server.command.js';
import { registerServer } from '../../src/operators/cli/server/server.options.js';
import { deskUser, type DeskUser, startDesk, type TestDesk } from '../support/api/desk.js';
import { runCommand } from '../support/api/run-command.js';
import { expectLedgersToAgree, Withdrawals } from '../support/api/withdrawals.js';

/** The game server and its database listen on 127.0.0.1; `localhost` also reaches them, but is not listed. */
const LISTED = ['127.0.0.0/8', 'game1.example.com'];

let w: Withdrawals;
let desk: TestDesk;
let admin: DeskUser;
let otherGm: number;
let otherDatabase: number;
const contexts: INestApplicationContext[] = [];

beforeAll(async () => {
  w = await Withdrawals.start();
  // SQL bypasses the command's check, so the service itself has to reject these hosts.
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

  it('is excluded from game database reads', async () => {
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

  it('is rejected by gatehouse server, but can still be put into maintenance', async () => {
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

  it('is rejected by the desk, whose server list says why', async () => {
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

describe('A server whose GM interface or game database is the service itself', () => {
  let ownPort: number;
  let ownGm: number;
  let ownDatabase: number;
  beforeAll(async () => {
    ownPort = Number(new URL(w.service.url).port);
    // The system chooses the port in tests, so the environment does not contain it yet.
    w.service.app.get(Environment).PORT = ownPort;
    desk.app.get(Environment).PORT = ownPort;
    ownGm = await w.addServer({ gmPort: ownPort, gmPath: '/api/logout' });
    ownDatabase = await w.addServer({ dbPort: ownPort });
    await w.untilListed(`"id":${ownDatabase},`);
  });

  it('gets no withdrawal command and no query, so nothing is deducted', async () => {
    const rich = await w.createFundedRole(1000, ownGm);
    expect((await w.withdraw(rich, 100)).body.error).toBe('game_server_unavailable');
    expect(await w.rowOf(rich)).toMatchObject({
      status: 'failed',
      reason: 'game_server_unavailable',
    });
    const poor = await w.createFundedRole(1000, ownDatabase);
    expect((await w.withdraw(poor, 100)).body.error).toBe('game_server_unavailable');
    expect(w.game.ledger.size).toBe(0);
  });

  it('is reported by gatehouse check', async () => {
    const checks = (await commandContext(CheckCommandModule)).get(ServerChecks);
    const problem = `127.0.0.1:${ownPort} is this service itself`;
    const texts = async (server: number) => (await checks.run(server)).map(({ text }) => text);
    expect(await texts(ownGm)).toContain(`nothing is sent to its GM interface: ${problem}`);
    expect((await texts(ownDatabase)).join()).toContain(problem);
  });

  it('is rejected by gatehouse server and by the desk', async () => {
    const context = await commandContext(ServerCommandModule);
    const who = ['--by', 'anna', '--note', 'move', '--yes'];
    const problem = `${ownPort} is this service itself`;
    for (const option of ['--gm-port', '--db-port']) {
      const line = ['server', 'set', `${w.server}`, option, `${ownPort}`, ...who];
      await expect(runCommand(registerServer, context.get(ServerCommand), line)).rejects.toThrow(
        problem,
      );
    }
    for (const field of ['gm_port', 'db_port'])
      expect(
        await admin.post(`/api/servers/${w.server}`, {
          fields: { [field]: ownPort },
          note: 'move',
        }),
      ).toMatchObject({ status: 409, body: { message: expect.stringContaining(problem) } });
  });
});

describe('gatehouse check', () => {
  it('does not complain about the game server of a scheduled server before its time', async () => {
    const openAt = new Date('2099-01-01T20:00:00Z');
    const later = await w.addServer({ status: 'scheduled', openAt, gmPort: 9 });
    const checks = (await commandContext(CheckCommandModule)).get(ServerChecks);
    expect((await checks.run()).map(({ what }) => what)).not.toContain(`server ${later}`);
    expect((await checks.run(later)).map(({ state }) => state)).not.toContain('wrong');
  });
});
