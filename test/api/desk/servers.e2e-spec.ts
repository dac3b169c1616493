import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditEvent } from '../../../src/platform/audit/audit-event.entity.js';
import { unique } from '../../support/accounts.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { deskUser, type DeskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { addServer } from '../../support/api/factories.js';

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
      fields: { ...fields, address: 'http://a.example/' },
    });
    expect(bad.body.data).toEqual({ problem: expect.stringContaining('address'), seen: null });
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

  it('lists what blocks a merge, and merges', async () => {
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
    expect(await merge(into.id)).toMatchObject(refusedWith('not merged'));
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
