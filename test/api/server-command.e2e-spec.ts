import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditEvent } from '../../src/platform/audit/audit.entity.js';
import { Settings } from '../../src/platform/config/settings.js';
import { GameServer } from '../../src/features/servers/game-server.entity.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { addServer } from '../support/api/factories.js';
import { startServerCommand, type TestCommand } from '../support/api/run-command.js';

let service: TestApp;
let command: TestCommand;

beforeAll(async () => {
  service = await startApp();
  command = await startServerCommand(service);
});
afterAll(async () => {
  await command.stop();
  await service.stop();
});

const run = (...args: string[]) => command.run(...args);
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
    ['--open-at', '2099-02-30 20:00', 'a time such as'],
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

  it('schedules an opening at a time with an offset, and also shows the time in the configured time zone', async () => {
    const { id } = await newServer();
    command.context.get(Settings).current.timezone = 'Asia/Shanghai';
    const { text } = await act('schedule', `${id}`, '--at', '2099-12-01 20:00 +08:00');
    expect(text).toContain('until 2099-12-01 12:00 UTC (2099-12-01 20:00 in Asia/Shanghai)');
    command.context.get(Settings).current.timezone = 'UTC';
    expect((await run('show', `${id}`)).text).toMatch(/opens +2099-12-01 12:00 UTC/);
    await expect(act('schedule', `${id}`, '--at', '2099-12-01 20:00 CST')).rejects.toThrow(
      'such as',
    );
  });

  it('rejects a negative id and an existing id', async () => {
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

describe('gatehouse server under four-eyes approval', () => {
  beforeAll(() => fourEyesAbove(1000));
  afterAll(() => fourEyesAbove(0));

  const fourEyesAbove = (above: number) => {
    command.context.get(Settings).current.desk.four_eyes_above = above;
  };
  const actAs = (by: string, ...args: string[]) =>
    run(...args, '--by', by, '--note', 'move', '--yes');
  const rowOf = (id: number) => service.database.getRepository(GameServer).findOneBy({ id });
  const waits = (id: number) => ({ waits_for_second: true, id });

  it.each([
    ['--gm-address', '10.0.0.7'],
    ['--gm-port', '3001'],
    ['--gm-path', '/api/health/live'],
    ['--db-host', '10.0.0.7'],
    ['--db-port', '3307'],
    ['--address', '10.0.0.7'],
  ])('changes %s only when a second person makes the same change', async (option, value) => {
    const { id } = await newServer();
    const before = await rowOf(id);
    const set = (by: string) => actAs(by, 'set', `${id}`, option, value);
    expect((await set('anna')).data).toEqual(waits(id));
    await expect(set('anna')).rejects.toThrow('a second person has to agree');
    expect(await rowOf(id)).toEqual(before);
    expect((await set('ben')).text).toContain('Changed');
    expect(await rowOf(id)).not.toEqual(before);
  });

  it('adds and merges servers only after a second person repeats the command', async () => {
    const fields = ['--name', 'z', '--address', 'a.example', '--port', '1'];
    const proposed = await actAs('anna', 'add', ...fields);
    const { id } = proposed.data as { id: number };
    expect(proposed.text).toContain(`--id ${id}`);
    expect(await rowOf(id)).toBeNull();
    expect((await actAs('ben', 'add', '--id', `${id}`, ...fields)).data).toMatchObject({ id });
    const into = await newServer({ status: 'maintenance' });
    const merge = (by: string) => actAs(by, 'merge', `${id}`, '--into', `${into.id}`);
    expect((await merge('anna')).data).toEqual(waits(id));
    expect((await merge('ben')).data).toMatchObject({ merged_into: into.id });
  });

  it('lets one person change the name, and cancels a pending change', async () => {
    const { id } = await newServer();
    expect((await actAs('anna', 'set', `${id}`, '--name', 'Other')).data).toMatchObject({
      name: 'Other',
    });
    await actAs('anna', 'set', `${id}`, '--gm-port', '3001');
    await actAs('ben', 'cancel', `${id}`);
    await expect(actAs('ben', 'cancel', `${id}`)).rejects.toThrow('there is no request');
    expect((await actAs('ben', 'set', `${id}`, '--gm-port', '3001')).data).toEqual(waits(id));
  });
});
