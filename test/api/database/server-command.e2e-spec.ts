import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { AuditEvent } from '../../../src/platform/audit/audit.entity.js';
import { ActionRefused } from '../../../src/operators/actions/action-refused.js';
import { SqlEditsService } from '../../../src/platform/audit/sql-edits.service.js';
import { GameServer } from '../../../src/features/servers/game-server.entity.js';
import { Withdrawal } from '../../../src/features/withdraw/record/withdrawal.entity.js';
import { unique } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { createPlayer, addServer } from '../../support/api/factories.js';
import { until } from '../../support/until.js';
import { startServerCommand, type TestCommand } from '../../support/api/run-command.js';

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

const CREATED = {
  roleId: 1,
  roleName: 'r',
  amount: 100,
  status: 'created',
} as const;

const run = (...args: string[]) => command.run(...args);
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
  it('adds a server in maintenance, opens it at a given time, and audits each step', async () => {
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
    await addServer(service.database, { sort: 4000 });
    const { data } = await act(...added, '--gm-address', '10.0.0.12');
    expect(data).toMatchObject({ id: 512, status: 'maintenance', gm_address: '10.0.0.12' });
    // A new server comes last in the list.
    expect(await stored(512)).toMatchObject({ sort: 4001 });
    await act('open', '512', '--as', 'new', '--at', '2036-12-01 10:00');
    await until(async () => (await listed(512))?.status === 'new');
    expect(await stored(512)).toMatchObject({ openAt: new Date('2036-12-01T10:00:00Z') });
    const later = 'players register and withdraw at once, and enter from 2036-12-01 10:00 UTC on';
    expect((await act('open', '512')).text).toContain(later);
    expect((await act('open', '512', '--at', 'now')).text).toMatch(/: players enter\.$/);
    expect(await stored(512)).toMatchObject({ status: 'normal', openAt: null });
    await act('maintenance', '512');
    await act('close', '512');
    // The sweep must find no edit that the command did not audit.
    await service.app.get(SqlEditsService).recordAll();
    expect(await acts(512)).toMatchObject([
      {
        act: 'server.add',
        operator: 'anna',
        note: 'launch',
        before: null,
        after: { name: '龙谷' },
      },
      { act: 'server.open', before: { status: 'maintenance' }, after: { status: 'new' } },
      { act: 'server.open', after: { status: 'normal' } },
      { act: 'server.open', after: { status: 'normal', open_at: null } },
      { act: 'server.maintenance', after: { status: 'maintenance' } },
      { act: 'server.closed', after: { status: 'closed' } },
    ]);
    const { text } = await run('show', '512');
    expect(text).toContain('status maintenance → closed');
  });

  it('schedules an opening, which only closing the server cancels', async () => {
    const { id } = await newServer({ status: 'maintenance' });
    const at = ['--at', '2036-12-01 10:00'];
    const { text } = await act('schedule', `${id}`, ...at);
    expect(text).toContain('players do not see it until 2036-12-01 10:00 UTC');
    const row = ['--name', 'Far Shore', '--address', 's13.game.example', '--port', '7013'];
    const opening = ['--status', 'scheduled', '--open-at', '2036-12-01 10:00'];
    expect((await act('add', ...row, ...opening)).text).toContain(
      'scheduled: players do not see it until 2036-12-01 10:00 UTC',
    );
    const openAt = new Date('2036-12-01T10:00:00Z');
    expect(await stored(id)).toMatchObject({ status: 'scheduled', openAt });
    expect((await run('list')).text).toMatch(/scheduled +\S+ +2036-12-01 10:00:00/);
    await expect(act('set', `${id}`, '--open-at', 'none')).rejects.toThrow('needs a time');
    await expect(act('set', `${id}`, '--status', 'closed')).rejects.toThrow('choose scheduled');
    await expect(act('schedule', `${id}`)).rejects.toThrow('--at');
    await expect(act('schedule', `${id}`, '--at', '2020-01-01 10:00')).rejects.toThrow('past');
    await act('close', `${id}`);
    expect(await stored(id)).toMatchObject({ status: 'closed', openAt: null });
    expect((await acts(id)).map(({ act: name }) => name)).toEqual([
      'server.add',
      'server.scheduled',
      'server.closed',
    ]);
  });

  it('says that a server closed by SQL does not open by itself, and still renames it', async () => {
    const openAt = new Date('2036-12-01T10:00:00Z');
    const { id } = await newServer({ status: 'closed', openAt });
    expect((await run('show', `${id}`)).text).toContain('a closed server does not open by itself');
    await act('set', `${id}`, '--name', 'renamed');
    expect(await stored(id)).toMatchObject({ name: 'renamed', status: 'closed', openAt });
  });

  it('lists servers with their open withdrawals and problems', async () => {
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

  it('changes columns, and restores a default for the value "none"', async () => {
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

  it('merges only servers in maintenance without open withdrawals, and never in a circle', async () => {
    const [from, into] = [await newServer(), await newServer()];
    const merge = (a: GameServer, b: GameServer) => act('merge', `${a.id}`, '--into', `${b.id}`);
    await expect(merge(from, from)).rejects.toThrow('it cannot be merged into itself');
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
    await rows.update({ id }, { status: 'failed' });
    await merge(from, into);
    expect(await stored(from.id)).toMatchObject({ mergedInto: into.id, status: 'maintenance' });
    await expect(merge(into, from)).rejects.toThrow('circle');
    await expect(merge(into, into)).rejects.toThrow('itself');
    await expect(merge(into, { id: 999_999 } as GameServer)).rejects.toThrow('no server 999999');
  });

  it('undoes a merge with --into none once the server is in maintenance', async () => {
    const target = await newServer({ status: 'maintenance' });
    const { id } = await newServer({ mergedInto: target.id });
    const undo = () => act('merge', `${id}`, '--into', 'none');
    await expect(undo()).rejects.toThrow(`gatehouse server maintenance ${id}`);
    await act('maintenance', `${id}`);
    expect((await undo()).text).toContain(`gatehouse server open ${target.id}`);
    expect(await stored(id)).toMatchObject({ mergedInto: null });
    expect((await acts(id)).at(-1)).toMatchObject({
      act: 'server.merge',
      before: { merged_into: target.id },
      after: { merged_into: null },
    });
    await expect(undo()).rejects.toThrow('is not merged');
  });

  it('performs only one of two parallel merges that would form a circle', async () => {
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

  // A lone combining mark has no weight in the collation, but SQLite compares bytes.
  if (inject('database').kind !== 'embedded')
    it('reports a group name that only the table treats as empty', async () => {
      const { id } = await newServer();
      const refused = act('set', `${id}`, '--group', '\u0301');
      await expect(refused).rejects.toThrow('the database rejected the row');
      await expect(refused).rejects.toThrow(ActionRefused);
    });
});
