import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Settings } from '../../../src/platform/config/settings.js';
import { GameServer } from '../../../src/features/servers/game-server.entity.js';
import { AuditEvent } from '../../../src/platform/audit/audit.entity.js';
import { unique } from '../../support/accounts.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { deskUser, type DeskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { addServer } from '../../support/api/factories.js';
import { allAtOnce, times } from '../../support/api/parallel.js';

let service: TestApp;
let desk: TestDesk;
let admin: DeskUser;

beforeAll(async () => {
  service = await startApp({ settings: { day_max_reg: 10 } });
  desk = await startDesk(service);
  admin = await deskUser(desk, 'admin');
});
afterAll(async () => {
  await desk.stop();
  await service.stop();
});

const note = 'tonight';
const refusedWith = (words: string) => ({
  status: 409,
  body: { error: 'act_refused', message: expect.stringContaining(words) },
});

describe('/api/servers', () => {
  it('previews, adds and changes a server, and validates every field', async () => {
    const fields = { name: unique('z'), address: 'a.example', port: 7000, status: 'new' };
    const preview = await admin.post('/api/servers/preview', { fields });
    expect(preview.body.data).toMatchObject({ problem: null, seen: { name: fields.name } });
    const bad = await admin.post('/api/servers/preview', {
      fields: { ...fields, address: 'http://a.example/', gm_path: 'gm', db_host: 'not a host' },
    });
    expect(bad.body.data).toEqual({
      problem: 'its address is not a host name or address',
      columns: [
        { field: 'address', message: 'is not a host name or address' },
        { field: 'db_host', message: 'is not a host name or address' },
        { field: 'gm_path', message: 'does not start with /' },
      ],
      seen: null,
    });
    const { body } = await admin.post('/api/servers', { fields, note });
    const { id } = body.data.row;
    const set = (changes: unknown) => admin.post(`/api/servers/${id}`, { fields: changes, note });
    expect((await set({ zone_group: '西部', open_at: '2036-01-01T10:00:00Z' })).body.data).toEqual({
      row: expect.objectContaining({ zone_group: '西部', open_at: '2036-01-01T10:00:00.000Z' }),
    });
    expect((await set({ open_at: null })).body.data.row.open_at).toBeNull();
    expect(await set({ gm_address: 'not a host' })).toMatchObject(refusedWith('gm_address'));
    for (const nonsense of [
      {},
      null,
      [1],
      'name',
      { name: 7 },
      { name: null, port: 7001 },
      { recommended: null, port: 7001 },
      { recommended: 0 },
      { zone_group: '\u0007' },
      { zone_group: '西\u202e部' },
      { name: '\u200f' },
      { gm_path: {} },
      { name: 'x'.repeat(65) },
      { port: '7000' },
      { open_at: 'tomorrow' },
      { merged_into: 1, port: 7001 },
      { status: 'opne' },
      { ['__proto__']: 1, constructor: 1 },
    ])
      expect((await set(nonsense)).body.error, JSON.stringify(nonsense)).toBe('invalid_request');
    expect(await set({ id: id + 1, name: 'other' })).toMatchObject(
      refusedWith('cannot be changed'),
    );
    expect(await admin.post('/api/servers', { fields: { ...fields, id }, note })).toMatchObject(
      refusedWith('already'),
    );
    expect((await admin.post('/api/servers/preview', { id: 999_999, fields })).status).toBe(409);
    const acts = await service.database
      .getRepository(AuditEvent)
      .find({ where: { subject: `server ${id}` }, order: { id: 'ASC' } });
    expect(acts).toMatchObject([
      { act: 'server.add', operator: admin.name, note },
      { act: 'server.set', after: { zone_group: '西部' } },
      { act: 'server.set', after: { open_at: null } },
    ]);
  });

  it('schedules an opening, which players do not see before its time', async () => {
    const { id } = await addServer(service.database, { status: 'maintenance' });
    const open_at = '2036-01-01T10:00:00.000Z';
    const setStatus = (body: object) =>
      admin.post('/api/servers/status', { ids: [id], note, ...body });
    expect((await setStatus({ status: 'scheduled' })).body.data.results).toEqual([
      { id, done: false, problem: expect.stringContaining('a scheduled server needs a time') },
    ]);
    expect((await setStatus({ status: 'scheduled', open_at })).body.data.results).toEqual([
      { id, done: true, problem: null },
    ]);
    const { servers } = (await admin.get('/api/servers')).body.data;
    const listed = servers.find(({ row }: { row: { id: number } }) => row.id === id);
    expect(listed).toMatchObject({
      row: { status: 'scheduled', open_at },
      seen: null,
      problem: null,
    });
    const { body } = await admin.post('/api/servers/preview', { id, fields: { status: 'closed' } });
    expect(body.data.columns).toEqual([
      { field: 'status', message: expect.stringContaining('choose scheduled') },
    ]);
  });

  it('rejects an edit of a field that another operator has changed since the form was loaded', async () => {
    const { id } = await addServer(service.database, { port: 7000 });
    const edit = (fields: object, shown?: unknown) =>
      admin.post(`/api/servers/${id}`, { fields, shown, note });
    const shown = (await admin.get('/api/servers')).body.data.servers.find(
      ({ row }: { row: { id: number } }) => row.id === id,
    ).row;
    expect((await edit({ port: 7001 }, shown)).status).toBe(200);
    const conflict = 'somebody else has changed server';
    expect(await edit({ port: 7002 }, shown)).toMatchObject(refusedWith('port is now 7001'));
    expect(await edit({ port: 7002 }, shown)).toMatchObject(refusedWith(conflict));
    // Repeating a change, or changing another field, does not conflict with another operator's change.
    expect((await edit({ port: 7001, sort: 4 }, shown)).status).toBe(200);
    expect((await edit({ name: unique('z') }, shown)).status).toBe(200);
    // The operator has seen the new value and overwrites it.
    expect((await edit({ port: 7002 }, { ...shown, port: 7001 })).body.data.row.port).toBe(7002);
    expect((await edit({ port: 7003 })).status).toBe(200);
    for (const nonsense of [null, 7, 'port'])
      expect((await edit({ port: 7004 }, nonsense)).body.error).toBe('invalid_request');
  });

  it('never gives a new server the id of a deleted server that has withdrawals', async () => {
    const insert = `INSERT INTO withdraw
      (player_id, server_id, role_server_id, role_id, role_name, amount, status, created_at)
      VALUES (1, 1, ?, 1, 'r', 1, 'refused', '2026-11-01 10:00:00.000')`;
    const add = async (): Promise<number> => {
      const fields = { name: unique('z'), address: 'a.example', port: 7000 };
      return (await admin.post('/api/servers', { fields, note })).body.data.row.id;
    };
    const id = (await add()) + 10;
    await service.database.query(insert, [id]);
    expect(await add()).toBe(id + 1);
  });

  it('lists what blocks a merge, and merges once nothing does', async () => {
    const [from, into] = [await addServer(service.database), await addServer(service.database)];
    const ask = () => admin.get(`/api/servers/${from.id}/merge?into=${into.id}`);
    expect((await ask()).body.data).toMatchObject({
      open: [from, into].map(
        ({ id }) => `server ${id} is normal: it has to be in maintenance first`,
      ),
      problem: null,
    });
    const merge = (other: number) =>
      admin.post(`/api/servers/${from.id}/merge`, { into: other, note });
    expect(await merge(into.id)).toMatchObject(refusedWith('nothing changed'));
    await admin.post('/api/servers/status', {
      ids: [from.id, into.id],
      status: 'maintenance',
      note,
    });
    expect((await ask()).body.data).toEqual({ open: [], problem: null });
    const itself = await admin.get(`/api/servers/${from.id}/merge?into=${from.id}`);
    expect(itself.body.data.problem).toContain('into itself');
    expect((await merge(into.id)).body.data.row).toMatchObject({ merged_into: into.id });
  });
});

describe('/api/servers under four-eyes approval', () => {
  let second: DeskUser;
  beforeAll(async () => {
    second = await deskUser(desk, 'admin');
    desk.app.get(Settings).current.desk.four_eyes_above = 1000;
  });
  afterAll(() => {
    desk.app.get(Settings).current.desk.four_eyes_above = 0;
  });

  const rowOf = (id: number) => service.database.getRepository(GameServer).findOneBy({ id });
  const set = (who: DeskUser, id: number, fields: object) =>
    who.post(`/api/servers/${id}`, { fields, note });
  const requests = async () => {
    const { body } = await second.get('/api/servers');
    return body.data.requests as Array<{ id: number; is_new: boolean; fields: { name?: string } }>;
  };
  const waits = { row: null, waits_for_second: true };

  it.each([
    ['gm_address', { gm_address: 'gm.example', port: 7001 }],
    ['gm_port', { gm_port: 3001 }],
    ['gm_path', { gm_path: '/api/health/live' }],
    ['db_host', { db_host: 'db.example' }],
    ['db_port', { db_port: 3307 }],
    ['address without a gm_address', { address: 'elsewhere.example' }],
  ])('needs two operators for a new %s', async (_, fields) => {
    const { id } = await addServer(service.database, { port: 7000 });
    const before = await rowOf(id);
    expect((await set(admin, id, fields)).body.data).toEqual(waits);
    expect(await set(admin, id, fields)).toMatchObject(refusedWith('second person'));
    expect(await set(second, id, { ...fields, db_host: 'third.example' })).toMatchObject(
      refusedWith(`${admin.name} asks for`),
    );
    expect(await rowOf(id)).toEqual(before);
    const { name: by } = admin;
    const at = expect.any(String);
    expect(await requests()).toContainEqual({ id, is_new: false, fields, by, note, at });
    expect((await set(second, id, fields)).body.data.row).toMatchObject(fields);
    const events = service.database.getRepository(AuditEvent);
    expect(await events.findBy({ subject: `request for server ${id}` })).toMatchObject([
      { act: 'server.ask', operator: admin.name },
    ]);
    expect(await events.findBy({ subject: `server ${id}` })).toMatchObject([
      { act: 'server.add', operator: 'sql' },
      { act: 'server.set', operator: second.name, after: fields },
    ]);
  });

  it('redirects no withdrawals for a single operator, even in parallel requests', async () => {
    const { id } = await addServer(service.database);
    const fields = { gm_address: 'gm.example' };
    const answers = await allAtOnce(times(6, () => () => set(admin, id, fields)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ gmAddress: null });
    await set(second, id, fields);
    expect(await rowOf(id)).toMatchObject({ gmAddress: 'gm.example' });
  });

  it('needs two operators to merge servers and to undo a merge', async () => {
    const status = 'maintenance';
    const [from, into] = [
      await addServer(service.database, { status }),
      await addServer(service.database, { status }),
    ];
    const merge = (who: DeskUser, other: number | null) =>
      who.post(`/api/servers/${from.id}/merge`, { into: other, note });
    for (const other of [into.id, null]) {
      const before = await rowOf(from.id);
      expect((await merge(admin, other)).body.data).toEqual(waits);
      expect(await merge(admin, other)).toMatchObject(refusedWith('second person'));
      expect(await rowOf(from.id)).toEqual(before);
      const fields = { merged_into: other };
      expect(await requests()).toContainEqual(expect.objectContaining({ id: from.id, fields }));
      expect((await merge(second, other)).body.data.row).toMatchObject(fields);
    }
  });

  it('lets one operator change other columns and cancel a request', async () => {
    const { id } = await addServer(service.database);
    expect((await set(admin, id, { name: 'Other' })).body.data.row).toMatchObject({
      name: 'Other',
    });
    await set(admin, id, { db_host: 'db.example' });
    expect((await second.post(`/api/servers/${id}/cancel`, { note })).status).toBe(200);
    expect(await second.post(`/api/servers/${id}/cancel`, { note })).toMatchObject(
      refusedWith('there is no request'),
    );
    expect((await set(second, id, { db_host: 'db.example' })).body.data).toEqual(waits);
  });

  it('needs two operators for a new server', async () => {
    const fields = { name: unique('z'), address: 'a.example', port: 7000 };
    expect((await admin.post('/api/servers', { fields, note })).body.data).toEqual(waits);
    const { id, is_new: isNew } = (await requests()).find(
      (one) => one.fields.name === fields.name,
    )!;
    expect(isNew).toBe(true);
    expect(await rowOf(id)).toBeNull();
    const agreed = await second.post('/api/servers', { fields: { ...fields, id }, note });
    expect(agreed.body.data.row).toMatchObject({ ...fields, id });
  });

  it('keeps separate pending requests for several new servers', async () => {
    const names = [unique('z'), unique('z')];
    for (const name of names) {
      const fields = { name, address: 'a.example', port: 7000 };
      expect((await admin.post('/api/servers', { fields, note })).body.data).toEqual(waits);
    }
    const found = (await requests()).filter(({ fields }) => names.includes(fields.name!));
    expect(new Set(found.map(({ id }) => id)).size).toBe(2);
    for (const { id } of found) await admin.post(`/api/servers/${id}/cancel`, { note });
  });

  it.each([
    ['SQL changes the hosts', { dbHost: 'db.example' }, 1000],
    ['the four-eyes setting is switched off', {}, 0],
  ])('drops a pending request once %s', async (_, edit, above) => {
    const { id } = await addServer(service.database);
    const fields = { db_host: 'db.example' };
    await set(admin, id, fields);
    if ('dbHost' in edit) await service.database.getRepository(GameServer).update({ id }, edit);
    desk.app.get(Settings).current.desk.four_eyes_above = above;
    expect((await set(second, id, fields)).body.data.row).toMatchObject(fields);
    desk.app.get(Settings).current.desk.four_eyes_above = 1000;
    expect((await requests()).filter((one) => one.id === id)).toEqual([]);
  });
});
