import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/operators/cli/command.js';
import { Environment } from '../../src/platform/config/environment.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { ServerCommandModule } from '../../src/operators/cli/server/server-command.module.js';
import { ServerCommand } from '../../src/operators/cli/server/server.command.js';
import { ServerEditAuditor } from '../../src/features/servers/server-edit-auditor.js';
import { GameServer } from '../../src/features/servers/game-server.entity.js';
import { Withdrawal } from '../../src/features/withdraw/record/withdrawal.entity.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer, addServer, unique } from '../support/api/factories.js';
import { until } from '../support/until.js';

let service: TestApp;
let context: INestApplicationContext;

beforeAll(async () => {
  service = await startApp();
  context = await NestFactory.createApplicationContext(
    ServerCommandModule.forRoot(service.app.get(Environment)),
    { logger: false, abortOnError: false },
  );
});
afterAll(async () => {
  await context.close();
  await service.stop();
});

const CREATED = {
  roleId: 1,
  roleName: 'r',
  amount: 100,
  status: 'created',
  notedStatus: 'created',
} as const;

const run = (...args: string[]) => context.get(ServerCommand).run(args);
const act = (...args: string[]) => run(...args, '--by', 'anna', '--note', 'launch', '--yes');
const stored = (id: number) => service.database.getRepository(GameServer).findOneByOrFail({ id });
const acts = (id: number) =>
  service.database
    .getRepository(AuditEvent)
    .find({ where: { subject: `server ${id}` }, order: { id: 'ASC' } });
const newServer = (server: Partial<GameServer> = {}) => addServer(service.database, server);
const listed = async (id: number) => {
  const { body } = await service.client.get('/api/server/list');
  return body.data.servers.find((server: { id: number }) => server.id === id);
};

describe('gatehouse server', () => {
  it('adds a server that is shut, opens it at a time, and writes down who and why', async () => {
    const added = [
      'add',
      '--id',
      '512',
      '--name',
      '龙谷',
      '--address',
      's12.game.example',
      '--port',
      '7012',
    ];
    const { data } = await act(...added, '--gm-address', '10.0.0.12');
    expect(data).toMatchObject({ id: 512, status: 'maintenance', gm_address: '10.0.0.12' });
    await act('open', '512', '--as', 'new', '--at', '2036-12-01 10:00');
    await until(async () => (await listed(512))?.status === 'new');
    expect(await stored(512)).toMatchObject({ openAt: new Date('2036-12-01T10:00:00Z') });
    await act('open', '512', '--at', 'now');
    expect(await stored(512)).toMatchObject({ status: 'normal', openAt: null });
    await act('maintenance', '512');
    await act('close', '512');
    // A reader of the table finds nothing that was not written down.
    service.app
      .get(ServerEditAuditor)
      .check(await service.database.getRepository(GameServer).find());
    await service.app.get(ServerEditAuditor).whenIdle();
    expect(await acts(512)).toMatchObject([
      {
        act: 'server.add',
        operator: 'anna',
        note: 'launch',
        before: null,
        after: { name: '龙谷' },
      },
      { act: 'server.open', before: { status: 'maintenance' }, after: { status: 'new' } },
      { act: 'server.open', after: { status: 'normal', open_at: null } },
      { act: 'server.maintenance', after: { status: 'maintenance' } },
      { act: 'server.closed', after: { status: 'closed' } },
    ]);
    const { text } = await run('show', '512');
    expect(text).toContain('status maintenance → closed');
  });

  it('lists servers with what is open in them and what is wrong with them', async () => {
    const server = await newServer();
    const lost = await newServer({ mergedInto: 999_999 });
    const player = await createPlayer(service);
    await service.database.getRepository(Withdrawal).insert({
      ...CREATED,
      playerId: player.id,
      serverId: server.id,
      roleServerId: server.id,
      createdAt: new Date(),
    });
    const { text, data } = await run('list');
    expect(text).toMatch(new RegExp(`^ *${lost.id} .*there is no server 999999`, 'm'));
    expect(data).toContainEqual(
      expect.objectContaining({ id: server.id, withdrawals: expect.objectContaining({ open: 1 }) }),
    );
  });

  it('changes columns, and "none" brings a default back', async () => {
    const { id } = await newServer({ dbHost: '10.0.0.3', dbPort: 3307 });
    await act('set', `${id}`, '--db-host', 'none', '--db-port', 'none', '--gm-port', '9090');
    expect(await stored(id)).toMatchObject({ dbHost: null, dbPort: null, gmPort: 9090 });
    await act('set', `${id}`, '--group', ' 东部 ', '--recommended', 'yes', '--name', '2048');
    expect(await stored(id)).toMatchObject({ group: '东部', recommended: true, name: '2048' });
    await act('set', `${id}`, '--open-at', '2036-12-01 10:00', '--group', 'none');
    expect(await stored(id)).toMatchObject({
      openAt: new Date('2036-12-01T10:00:00Z'),
      group: null,
      recommended: true,
    });
    await expect(act('set', `${id}`, '--gm-port', '9090')).rejects.toThrow('already');
  });

  it.each([
    ['--address', 'http://s1.example', 'its address is not a host name'],
    ['--address', '', '--address must be 1 to 255 characters long'],
    ['--name', 'x'.repeat(65), '--name must be 1 to 64 characters long'],
    ['--port', '70000', '--port must be a whole number from 1 to 65535'],
    ['--port', '7e3', '--port must be a whole number from 1 to 65535'],
    ['--status', 'opne', '--status must be one of new, normal'],
    ['--recommended', 'maybe', '--recommended is yes or no'],
    ['--open-at', 'soon', '--open-at is a time such as'],
    ['--group', '', '--group must be 1 to 32 characters long'],
    ['--gm-address', 'http://10.0.0.1', 'its gm_address is not a host name'],
    ['--gm-path', 'gm', 'its gm_path does not start with /'],
    ['--db-host', 'db host', 'its db_host is not a host name'],
    ['--db-port', '0', '--db-port must be a whole number from 1 to 65535'],
  ])('says what is wrong with %s %j before it is written', async (option, value, problem) => {
    const { id } = await newServer();
    await expect(act('set', `${id}`, option, value)).rejects.toThrow(problem);
    expect((await acts(id)).filter(({ operator }) => operator === 'anna')).toEqual([]);
  });

  it('refuses a negative id, and one that there is', async () => {
    const fields = ['--name', 'z', '--address', 'a.example', '--port', '1'];
    await expect(act('add', '--id=-5', ...fields)).rejects.toThrow(
      '--id must be a whole number from 1',
    );
    const { id } = await newServer();
    await expect(act('add', '--id', `${id}`, ...fields)).rejects.toThrow('already');
    expect((await act('add', ...fields)).data).toMatchObject({ id: expect.any(Number) });
  });

  it('merges what is shut and settled, says what still stands open, and makes no circle', async () => {
    const [from, into] = [await newServer(), await newServer()];
    const merge = (a: GameServer, b: GameServer) => act('merge', `${a.id}`, '--into', `${b.id}`);
    await expect(merge(from, into)).rejects.toThrow(
      `(gatehouse server maintenance ${from.id}, gatehouse server maintenance ${into.id})`,
    );
    for (const { id } of [from, into]) await act('maintenance', `${id}`);
    const player = await createPlayer(service);
    const rows = service.database.getRepository(Withdrawal);
    const { identifiers } = await rows.insert({
      ...CREATED,
      playerId: player.id,
      serverId: from.id,
      roleServerId: from.id,
      createdAt: new Date(),
    });
    const { id } = identifiers[0] as { id: number };
    await expect(merge(from, into)).rejects.toThrow(`settle these withdrawals first: ${id}`);
    await rows.update({ id }, { status: 'failed', notedStatus: 'failed' });
    await merge(from, into);
    expect(await stored(from.id)).toMatchObject({ mergedInto: into.id, status: 'maintenance' });
    await expect(merge(into, from)).rejects.toThrow('circle');
    await expect(merge(into, into)).rejects.toThrow('itself');
    await expect(merge(into, { id: 999_999 } as GameServer)).rejects.toThrow('no server 999999');
  });

  it('of two merges at once that would make a circle does one', async () => {
    const name = unique('z');
    const [a, b] = [
      await newServer({ name, status: 'maintenance' }),
      await newServer({ status: 'maintenance' }),
    ];
    const outcomes = await Promise.allSettled([
      act('merge', `${a.id}`, '--into', `${b.id}`),
      act('merge', `${b.id}`, '--into', `${a.id}`),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it.each([
    [['open', '1', '--as', 'closed', '--by', 'a', '--note', 'b', '--yes'], '--as'],
    [['open', '1', '--at', 'soon', '--by', 'a', '--note', 'b', '--yes'], '--at'],
    [['show', 'x'], 'no id'],
    [['close'], 'not understood'],
    [[], 'say what'],
  ])('does not understand %j', async (args, reason) => {
    const asked = async () => run(...args);
    await expect(asked()).rejects.toThrow(UsageError);
    await expect(asked()).rejects.toThrow(reason);
  });
});
