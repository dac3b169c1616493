import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RegistrationDay } from '../../src/features/accounts/registration-limits.js';
import { Promoter } from '../../src/features/accounts/registration.service.js';
import type { GameServer } from '../../src/features/servers/game-server.entity.js';
import { Player } from '../../src/platform/auth/player.entity.js';
import { newMailbox } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { addServer, createPlayer } from '../support/api/factories.js';
import { register, registrationForm, WRONG_CODE } from '../support/api/registration.js';

const DAY_MS = 86_400_000;
const RELAXED = {
  rate_limit: { per_minute: 100_000 },
  registration: { per_address_day: null },
};
let service: TestApp;
let server: GameServer;
/** The servers must exist before the first request because the service caches its server list. */
let others: Record<
  'closed' | 'maintenance' | 'full' | 'opens later' | 'scheduled' | 'opened',
  GameServer
>;

beforeAll(async () => {
  service = await startApp({ settings: RELAXED });
  server = await addServer(service.database);
  others = {
    closed: await addServer(service.database, { status: 'closed' }),
    maintenance: await addServer(service.database, { status: 'maintenance' }),
    full: await addServer(service.database, { status: 'full' }),
    'opens later': await addServer(service.database, { openAt: new Date(Date.now() + DAY_MS) }),
    scheduled: await addScheduled(DAY_MS),
    opened: await addScheduled(-DAY_MS),
  };
});
afterAll(() => service.stop());

const addScheduled = (inMs: number) =>
  addServer(service.database, { status: 'scheduled', openAt: new Date(Date.now() + inMs) });
const players = () => service.database.getRepository(Player);
const newForm = () => registrationForm(service, server.id);
const errorOf = async (form: object) => (await register(service, form)).body.error;

describe('POST /api/register', () => {
  it.each([
    ['an unknown server', undefined, 'server_not_found'],
    ['a closed server', 'closed', 'server_not_found'],
    ['a scheduled server before its time', 'scheduled', 'server_not_found'],
    ['a server in maintenance', 'maintenance', 'server_unavailable'],
    ['a full server', 'full', 'server_unavailable'],
  ] as const)('rejects %s and keeps the code valid', async (_, status, error) => {
    const id = status ? others[status].id : 999_999;
    const form = await newForm();
    expect(await errorOf({ ...form, server_id: id })).toBe(error);
    expect(await errorOf(form)).toBeUndefined();
  });

  it.each([
    ['a server that opens later', 'opens later'],
    ['a scheduled server whose time has come', 'opened'],
  ] as const)('accepts %s', async (_, kind) => {
    const { id } = others[kind];
    expect(await errorOf({ ...(await newForm()), server_id: id })).toBeUndefined();
  });

  it.each(['abc', 'a'.repeat(21), 'has space', 'a-b-c', '名字名字', "a'--b"])(
    'rejects the name "%s"',
    async (account) => {
      const { body } = await register(service, { ...(await newForm()), account });
      expect(body).toMatchObject({ error: 'invalid_request', details: [{ field: 'account' }] });
    },
  );

  it.each(['admin', 'Support', 'GATEHOUSE'])(
    'rejects the reserved name "%s" like a taken one and keeps the code valid',
    async (account) => {
      const form = await newForm();
      expect(await errorOf({ ...form, account })).toBe('account_taken');
      expect(await players().existsBy({ account })).toBe(false);
      expect(await errorOf(form)).toBeUndefined();
    },
  );

  it('accepts a reserved name once the settings no longer list it', async () => {
    await service.changeSettings({
      ...RELAXED,
      registration: { per_address_day: null, reserved_names: ['gatehouse'] },
    });
    expect(await errorOf({ ...(await newForm()), account: 'admin' })).toBeUndefined();
    await service.changeSettings(RELAXED);
  });

  it('ignores a malformed agent_id', async () => {
    const { id } = await service.database.getRepository(Promoter).save({ name: 'promoter' });
    for (const query of [
      '?agent_id=2147483648',
      '?agent_id=99999999999999999999',
      "?agent_id=1'%20OR%201=1",
      `?agent_id=${id}&agent_id=${id}`,
      '?agent_id=',
    ]) {
      const form = await newForm();
      expect((await register(service, form, query)).status, query).toBe(200);
      expect(await players().findOneBy({ account: form.account })).toMatchObject({
        agentId: null,
      });
    }
  });

  it('invalidates a code after five wrong attempts', async () => {
    const form = await newForm();
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await errorOf({ ...form, code: WRONG_CODE })).toBe('code_invalid');
    expect(await errorOf(form)).toBe('code_invalid');
  });

  it('counts a request with a taken name as an attempt at the code', async () => {
    const { account } = await createPlayer(service);
    const form = await newForm();
    for (let attempt = 0; attempt < 4; attempt++)
      expect(await errorOf({ ...form, account })).toBe('account_taken');
    expect(await errorOf(form)).toBeUndefined();
    const curious = await newForm();
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await errorOf({ ...curious, account })).toBe('account_taken');
    expect(await errorOf(curious)).toBe('code_invalid');
  });

  it('counts a request with an e-mail address in use as an attempt at the code', async () => {
    const form = await newForm();
    const { id } = await createPlayer(service, { email: form.email });
    for (let attempt = 0; attempt < 5; attempt++) expect(await errorOf(form)).toBe('email_taken');
    await players().update({ id }, { email: newMailbox() });
    expect(await errorOf(form)).toBe('code_invalid');
  });

  it('reveals that an e-mail address is in use only to a caller with the correct code', async () => {
    const form = await newForm();
    await createPlayer(service, { email: form.email });
    expect(await errorOf({ ...form, code: WRONG_CODE })).toBe('code_invalid');
    expect(await errorOf(form)).toBe('email_taken');
  });

  it('rejects every request if day_max_reg is 0, and has no cap if it is null', async () => {
    const form = await newForm();
    await service.changeSettings({ ...RELAXED, day_max_reg: 0 });
    expect(await errorOf(form)).toBe('registration_cap_reached');
    await service.changeSettings({ ...RELAXED, day_max_reg: null });
    expect(await errorOf(form)).toBeUndefined();
    await service.changeSettings(RELAXED);
  });

  it("reports the day's registrations and their cap in the metrics", async () => {
    const { text } = await service.client.get('/api/metrics');
    const [today] = await service.database.getRepository(RegistrationDay).find();
    expect(today!.taken).toBeGreaterThan(0);
    expect(text).toContain(`\ngatehouse_registrations_today ${today!.taken}\n`);
    expect(text).toContain('\ngatehouse_registrations_cap 1000\n');
  });
});
