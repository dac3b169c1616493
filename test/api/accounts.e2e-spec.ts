import { createHash } from 'node:crypto';
import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NameLookup } from '../../src/features/accounts/name-lookup.js';
import { Promoter } from '../../src/features/accounts/promoter.entity.js';
import { RegistrationDay } from '../../src/features/accounts/registration-day.entity.js';
import { Player } from '../../src/platform/auth/player.entity.js';
import { Environment } from '../../src/platform/config/environment.js';
import { PlayerLink } from '../../src/features/links/player-link.entity.js';
import type { GameServer } from '../../src/features/servers/game-server.entity.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer, addServer, PASSWORD, tokenOf, unique } from '../support/api/factories.js';
import { ProbeModule } from '../support/api/probe.js';
import { answersInTime, neverMoreThan } from '../support/run/slow-machine.js';
import { MailServer } from '../support/servers/smtp.js';
import { until } from '../support/until.js';

const RELAXED = {
  rate_limit: { per_minute: 100_000 },
  verify: { per_address_hour: 100_000 },
  registration: { per_address_day: null },
};
let mail: MailServer;
let service: TestApp;
let server: GameServer;
let closed: GameServer;
let inMaintenance: GameServer;
let full: GameServer;
let opensTomorrow: GameServer;

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startApp({
    extraModules: [ProbeModule],
    env: { SMTP_URL: mail.url },
    settings: RELAXED,
  });
  server = await addServer(service.database);
  closed = await addServer(service.database, { status: 'closed' });
  inMaintenance = await addServer(service.database, { status: 'maintenance' });
  full = await addServer(service.database, { status: 'full' });
  opensTomorrow = await addServer(service.database, { openAt: new Date(Date.now() + 86_400_000) });
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const newMailbox = () => `${unique('m')}@mail.example`;
const hashOf = (password: string) =>
  createHash('md5')
    .update(password + service.app.get(Environment).PASSWORD_KEY)
    .digest('hex');
const players = () => service.database.getRepository(Player);

async function codeFor(email: string): Promise<string> {
  const { body } = await service.client.post('/api/send_code', { email });
  expect(body.error).toBeUndefined();
  return mail.codeFor(email);
}

async function newForm(changes: object = {}) {
  const email = newMailbox();
  const code = await codeFor(email);
  return {
    account: unique('a').slice(0, 20),
    password: PASSWORD,
    email,
    code,
    server_id: server.id,
    ...changes,
  };
}

const register = (form: object, query = '', from = '192.0.2.1') =>
  service.client.post(`/api/register${query}`, form, { from });
const login = (account: string, password: string) =>
  service.client.post('/api/login', { account, password });
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('POST /api/register', () => {
  it('makes an account that is logged in at once', async () => {
    const form = await newForm({ device: 'Phone', os: '安卓', browse: '' });
    const answer = await register({ ...form, email: form.email.toUpperCase() });
    expect(answer.body.data).toEqual({
      account: form.account,
      token: expect.any(String),
      expires_in: 86_400,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { token } = answer.body.data;
    const me = await service.client.get('/api/probe/me', { token });
    expect(me.body.data.account).toBe(form.account);
    expect((await login(form.account, PASSWORD)).body.data.server_id).toBe(server.id);
    const stored = await players().findOneByOrFail({ account: form.account });
    expect(stored).toMatchObject({
      email: form.email,
      serverId: server.id,
      ip: '192.0.2.1',
      device: 'Phone',
      os: '安卓',
      browse: '',
      agentId: null,
      ver: 0,
      disabledAt: null,
      enterCount: 0,
    });
    expect(Math.abs(stored.createdAt.getTime() - Date.now())).toBeLessThan(60_000);
  });

  it('counts the player for an active promoter, and ignores any other', async () => {
    const agents = service.database.getRepository(Promoter);
    const { id } = await agents.save({ name: 'active' });
    const { id: idle } = await agents.save({ name: 'idle', active: false });
    await agents.insert({ id: 2_100_000_000, name: 'with a large id' });
    const cases: Array<[string, number | null]> = [
      [`?agent_id=${id}`, id],
      [`?agent_id=${idle}`, null],
      ['?agent_id=999999999', null],
      ['?agent_id=2100000000', 2_100_000_000],
      ['?agent_id=2147483648', null],
      ['?agent_id=99999999999999999999', null],
      ["?agent_id=1'%20OR%201=1", null],
      [`?agent_id=${id}&agent_id=${id}`, null],
      ['?agent_id=', null],
    ];
    for (const [query, agentId] of cases) {
      const form = await newForm();
      expect((await register(form, query)).status, query).toBe(200);
      const stored = await players().findOneByOrFail({ account: form.account });
      expect(stored.agentId, query).toBe(agentId);
    }
  });

  it.each([
    ['an unknown server', () => 999_999, 'server_not_found'],
    ['a closed server', () => closed.id, 'server_not_found'],
    ['a server in maintenance', () => inMaintenance.id, 'server_unavailable'],
    ['a full server', () => full.id, 'server_unavailable'],
  ])('refuses %s, and the code stays good', async (_, serverId, error) => {
    const form = await newForm();
    expect((await register({ ...form, server_id: serverId() })).body.error).toBe(error);
    expect((await register(form)).status).toBe(200);
  });

  it('takes a server that opens later', async () => {
    expect((await register(await newForm({ server_id: opensTomorrow.id }))).status).toBe(200);
  });

  it.each(['abc', 'a'.repeat(21), 'has space', 'a-b-c', '名字名字', "a'--b"])(
    'refuses the name "%s"',
    async (account) => {
      const answer = await register({ ...(await newForm()), account });
      expect(answer.body.error).toBe('invalid_request');
      expect(answer.body.details[0].field).toBe('account');
    },
  );

  it('refuses a name that is taken, in any case, and the code stays good', async () => {
    const { account } = await createPlayer(service, { account: unique('Taken') });
    const form = await newForm();
    for (const name of [account, account.toUpperCase()])
      expect((await register({ ...form, account: name })).body.error).toBe('account_taken');
    expect((await register(form)).status).toBe(200);
  });

  it('refuses the name of another in the game, in any case, and counts it as a try of the code', async () => {
    const { id } = await createPlayer(service);
    const gameAccount = unique('Game').slice(0, 20);
    await players().update({ id }, { gameAccount });
    const form = await newForm();
    for (const name of [gameAccount, gameAccount.toLowerCase(), gameAccount.toUpperCase()])
      expect((await register({ ...form, account: name })).body.error).toBe('account_taken');
    expect((await register(form)).status).toBe(200);
    const curious = await newForm();
    for (let attempt = 0; attempt < 5; attempt++)
      await register({ ...curious, account: gameAccount });
    expect((await register(curious)).body.error).toBe('code_invalid');
  });

  it('counts a name that is taken as a try of the code, so that it serves to ask for five at most', async () => {
    const taken = await createPlayer(service);
    const form = await newForm();
    const asked = await answersInTime(
      Array.from({ length: 20 }, () => register({ ...form, account: taken.account })),
      neverMoreThan(5, ({ body }) => body.error === 'account_taken'),
    );
    const told = asked.filter(({ body }) => body.error === 'account_taken');
    expect(told).toHaveLength(5);
    expect((await register(form)).body.error).toBe('code_invalid');

    const patient = await newForm();
    for (let name = 0; name < 4; name++) await register({ ...patient, account: taken.account });
    expect((await register(patient)).status).toBe(200);
  });

  it('counts a mailbox in use as a try of the code', async () => {
    const form = await newForm();
    const { id } = await createPlayer(service, { email: form.email });
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await register(form)).body.error).toBe('email_taken');
    await players().update({ id }, { email: newMailbox() });
    expect((await register(form)).body.error).toBe('code_invalid');
  });

  it('tells of a mailbox in use only to one who proved that it is his', async () => {
    const form = await newForm();
    await createPlayer(service, { email: form.email });
    const guess = await register({ ...form, code: wrong(form.code) });
    expect(guess.body.error).toBe('code_invalid');
    expect((await register(form)).body.error).toBe('email_taken');
  });

  it('gives one account for a code, and one for a name, to any number at once', async () => {
    const form = await newForm();
    const byCode = await answersInTime(
      Array.from({ length: 25 }, () => register({ ...form, account: unique('a').slice(0, 20) })),
      neverMoreThan(1),
    );
    expect(byCode.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await players().countBy({ email: form.email })).toBe(1);

    const forms = await Promise.all(Array.from({ length: 10 }, () => newForm()));
    const account = unique('same').slice(0, 20);
    const byName = await answersInTime(
      forms.map((each) => register({ ...each, account })),
      neverMoreThan(1),
    );
    const taken = byName.filter(({ body }) => body.error === 'account_taken');
    expect(taken).toHaveLength(9);
    expect(await players().countBy({ account })).toBe(1);
  });

  it('voids the code after five wrong tries', async () => {
    const form = await newForm();
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await register({ ...form, code: wrong(form.code) })).body.error).toBe('code_invalid');
    expect((await register(form)).body.error).toBe('code_invalid');
  });
});

describe('day_max_reg', () => {
  const takenToday = async () => {
    const [day] = await service.database.getRepository(RegistrationDay).find();
    return day?.taken ?? 0;
  };
  const allow = async (more: number) =>
    service.changeSettings({ ...RELAXED, day_max_reg: (await takenToday()) + more });

  it('is never passed, and one who was refused takes no place and keeps the code', async () => {
    await allow(5);
    const forms = await Promise.all(Array.from({ length: 15 }, () => newForm()));
    const answers = await answersInTime(
      forms.map((form) => register(form)),
      neverMoreThan(5),
    );
    const refused = answers.filter(({ body }) => body.error === 'registration_cap_reached');
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(refused).toHaveLength(10);
    const tomorrow = new Date(new Date().toISOString().slice(0, 10)).getTime() + 86_400_000;
    const wait = (tomorrow - Date.now()) / 1000;
    expect(refused[0]!.body.retry_after).toBeGreaterThan(wait - 60);
    expect(refused[0]!.body.retry_after).toBeLessThan(wait + 60);

    await allow(1);
    const next = forms[answers.findIndex(({ status }) => status !== 200)]!;
    const taken = {
      ...next,
      account: forms[answers.findIndex((one) => one.status === 200)]!.account,
    };
    expect((await register(taken)).body.error).toBe('account_taken');
    expect((await register(next)).status).toBe(200);
    await service.changeSettings(RELAXED);
  });

  it('of 0 refuses, and of null lets everyone in', async () => {
    const form = await newForm();
    await service.changeSettings({ ...RELAXED, day_max_reg: 0 });
    expect((await register(form)).body.error).toBe('registration_cap_reached');
    await service.changeSettings({ ...RELAXED, day_max_reg: null });
    expect((await register(form)).status).toBe(200);
    await service.changeSettings(RELAXED);
  });

  it('starts anew with the day of the time zone', async () => {
    const days = service.database.getRepository(RegistrationDay);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-05-05T15:59:00Z') });
    await service.changeSettings({ ...RELAXED, day_max_reg: 1, timezone: 'Asia/Shanghai' });
    expect((await register(await newForm())).status).toBe(200);
    const late = await newForm();
    const refused = await register(late);
    expect(refused.body.error).toBe('registration_cap_reached');
    expect(refused.body.retry_after).toBeLessThanOrEqual(60);
    vi.setSystemTime(new Date('2031-05-05T16:00:00Z'));
    expect((await register(await newForm())).status).toBe(200);
    vi.useRealTimers();
    await service.changeSettings(RELAXED);
    expect(await days.findBy({ taken: 1 })).toMatchObject([
      { day: '2031-05-05' },
      { day: '2031-05-06' },
    ]);
  });

  it('and the registrations of today are in the metrics', async () => {
    const { text } = await service.client.get('/api/metrics');
    const today = new Date().toISOString().slice(0, 10);
    const { taken } = await service.database
      .getRepository(RegistrationDay)
      .findOneByOrFail({ day: today });
    expect(text).toContain(`\ngatehouse_registrations_today ${taken}\n`);
    expect(text).toContain('\ngatehouse_registrations_cap 1000\n');
  });
});

describe('POST /api/reset_password', () => {
  const reset = (form: object) => service.client.post('/api/reset_password', form);

  async function newReset() {
    const player = await createPlayer(service, { email: newMailbox() });
    const code = await codeFor(player.email!);
    const form = { account: player.account, email: player.email!, code, password: 'a new one' };
    return { player, form };
  }

  it('sets the password and ends every token from before', async () => {
    const { player, form } = await newReset();
    const token = tokenOf(service, player);
    const answer = await reset({ ...form, account: player.account.toUpperCase() });
    const newToken: string = answer.body.data.token;
    expect(answer.body.data).toEqual({
      account: player.account,
      token: expect.any(String),
      expires_in: 86_400,
      bindings: [],
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await service.client.get('/api/bind', { token: newToken })).status).toBe(200);
    expect((await login(player.account, 'a new one')).status).toBe(200);
    expect((await login(player.account, PASSWORD)).body.error).toBe('bad_credentials');
    const me = await service.client.get('/api/probe/me', { token });
    expect(me.body.error).toBe('unauthorized');
    for (const old of [token, hashOf(PASSWORD)]) {
      const { body } = await service.client.post('/api/check', {
        account: player.account,
        token: old,
      });
      expect(body.error).toBe('token_invalid');
    }
    expect((await reset(form)).body.error).toBe('code_invalid');
  });

  it('answers a wrong pair of account and mailbox like a wrong code, and changes nothing', async () => {
    const { player, form } = await newReset();
    const other = await createPlayer(service, { email: newMailbox() });
    const without = await createPlayer(service);
    for (const account of [other.account, without.account, unique('nobody'), ` ${player.account}`])
      expect((await reset({ ...form, account })).body.error).toBe('code_invalid');
    expect((await login(other.account, PASSWORD)).status).toBe(200);
    expect((await reset(form)).status).toBe(200);
  });

  it('counts a wrong pair as a try: five void the code', async () => {
    const { form } = await newReset();
    for (let attempt = 0; attempt < 5; attempt++) await reset({ ...form, account: 'nobody_here' });
    expect((await reset(form)).body.error).toBe('code_invalid');
  });

  it('takes a mailbox for nothing but itself', async () => {
    const name = unique('jose');
    const { account } = await createPlayer(service, { email: `${name}é@mail.example` });
    const email = `${name}e@mail.example`;
    const code = await codeFor(email);
    const answer = await reset({ account, email, code, password: 'a new one' });
    expect(answer.body.error).toBe('code_invalid');
  });

  it('knows a mailbox that the previous generation stored in capitals', async () => {
    const email = newMailbox();
    const { account } = await createPlayer(service, { email: email.toUpperCase() });
    const code = await codeFor(email);
    expect((await reset({ account, email, code, password: 'a new one' })).status).toBe(200);
  });

  it('refuses the present password, which would leave the old token in force', async () => {
    const { form } = await newReset();
    const answer = await reset({ ...form, password: PASSWORD });
    expect(answer.body.error).toBe('invalid_request');
    expect(answer.body.details[0].field).toBe('password');
    expect((await reset(form)).status).toBe(200);
  });

  it('names the identities that can still sign in, in its answer and in a mail, and unlinks them if asked to', async () => {
    const { player, form } = await newReset();
    const links = service.database.getRepository(PlayerLink);
    const linked = { playerId: player.id, provider: 'forum', connectId: unique('f&') };
    await links.insert(linked);
    const { body } = await reset(form);
    const { connectId: connect_id } = linked;
    expect(body.data.bindings).toMatchObject([{ provider: 'forum', connect_id }]);
    expect(await noticeTo(player.email!)).toContain(`forum ${connect_id} (20`);

    const mailbox = newMailbox();
    await players().update({ id: player.id }, { email: mailbox });
    const again = { ...form, email: mailbox, code: await codeFor(mailbox), password: 'another' };
    for (const given of ['true', 1, []])
      expect((await reset({ ...again, drop_links: given })).body.details).toMatchObject([
        { field: 'drop_links' },
      ]);
    expect((await reset({ ...again, drop_links: true })).body.data.bindings).toEqual([]);
    expect(await links.countBy({ playerId: player.id })).toBe(0);
    expect(await noticeTo(mailbox)).not.toContain('forum');
  });

  it('that is refused unlinks nothing', async () => {
    const { player, form } = await newReset();
    const links = service.database.getRepository(PlayerLink);
    await links.insert({ playerId: player.id, provider: 'forum', connectId: unique('f') });
    const refused = { ...form, password: PASSWORD, drop_links: true };
    expect((await reset(refused)).body.error).toBe('invalid_request');
    expect(await links.countBy({ playerId: player.id })).toBe(1);
  });

  it('does not let a disabled account in', async () => {
    const { player, form } = await newReset();
    await players().update({ id: player.id }, { disabledAt: new Date() });
    expect((await reset(form)).body.error).toBe('account_disabled');
    await players().update({ id: player.id }, { disabledAt: null });
    expect((await reset(form)).status).toBe(200);
  });

  /** The text of the mail that tells of a reset. */
  async function noticeTo(mailbox: string): Promise<string> {
    let notice: Email | undefined;
    await until(async () => {
      const mails = await Promise.all(
        mail.mailsTo(mailbox).map(({ raw }) => PostalMime.parse(raw)),
      );
      notice = mails.find(({ subject }) => subject?.includes('Your password was reset'));
      return notice !== undefined;
    });
    return notice?.text ?? '';
  }

  it('happens once for a code, however many ask', async () => {
    const { player, form } = await newReset();
    const answers = await answersInTime(
      Array.from({ length: 20 }, (_, one) => reset({ ...form, password: `password ${one}` })),
      neverMoreThan(1),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await players().findOneByOrFail({ id: player.id })).ver).toBe(1);
  });
});

describe('/api/check', () => {
  const checkBoth = async (account: string, token: string) => {
    const query = new URLSearchParams({ account, token }).toString();
    const [got, posted] = [
      await service.client.get(`/api/check?${query}`),
      await service.client.post('/api/check', { account, token }),
    ];
    expect(got.status).toBe(posted.status);
    expect(got.body.error).toBe(posted.body.error);
    expect(got.headers.get('cache-control')).toBe('no-store');
    return posted.body;
  };

  it('reads as many rows for an unknown account as for a known one, and takes neither for the other', async () => {
    const { account } = await createPlayer(service);
    // Private, but on every engine the one way to the rows of `check`.
    const query = vi.spyOn(
      NameLookup.prototype as unknown as { read(): Promise<unknown[]> },
      'read',
    );
    const rowsRead = async (name: string) => {
      query.mockClear();
      const { body } = await service.client.post('/api/check', {
        account: name,
        token: hashOf('x'),
      });
      expect(body.error).toBe('token_invalid');
      expect(query).toHaveBeenCalledTimes(1);
      return (await query.mock.results[0]!.value).length;
    };
    expect(await rowsRead(account)).toBe(1);
    // The account comes next after its own beginning.
    expect(await rowsRead(account.slice(0, -1))).toBe(1);
    query.mockRestore();
    const right = { account: account.slice(0, -1), token: hashOf(PASSWORD) };
    expect((await service.client.post('/api/check', right)).body.error).toBe('token_invalid');
  });

  it('takes the md5 token of a game client, and a JWT', async () => {
    const player = await createPlayer(service);
    const { account } = player;
    for (const name of [account, account.toUpperCase()]) {
      const md5 = await checkBoth(name, hashOf(PASSWORD));
      expect(md5.data).toEqual({ account, format: 'md5' });
      const jwt = await checkBoth(name, tokenOf(service, player));
      expect(jwt.data).toEqual({ account, format: 'jwt' });
    }
    expect((await checkBoth(account, hashOf(PASSWORD).toUpperCase())).data.format).toBe('md5');
  });

  it('refuses every pair that does not go together', async () => {
    const player = await createPlayer(service);
    const other = await createPlayer(service, { password: hashOf('another') });
    const unusable = await createPlayer(service, { password: '!' });
    const pairs: Array<[string, string]> = [
      [player.account, hashOf('wrong')],
      [player.account, '0'.repeat(32)],
      [player.account, tokenOf(service, other)],
      [player.account, tokenOf(service, player, { ver: 1 })],
      [player.account, 'eyJ.garbage.'],
      [player.account, PASSWORD],
      [other.account, hashOf(PASSWORD)],
      [unusable.account, '!'],
      [unusable.account, '0'.repeat(32)],
      [unique('nobody'), hashOf(PASSWORD)],
    ];
    for (const [account, token] of pairs)
      expect((await checkBoth(account, token)).error, `${account} ${token}`).toBe('token_invalid');
  });

  it('never locks out a right pair', async () => {
    const { account } = await createPlayer(service);
    for (let attempt = 0; attempt < 50; attempt++)
      await service.client.post('/api/check', { account, token: hashOf(`guess ${attempt}`) });
    expect((await checkBoth(account, hashOf(PASSWORD))).data.account).toBe(account);
    expect((await login(account, PASSWORD)).status).toBe(200);
  });

  it('refuses a disabled account', async () => {
    const player = await createPlayer(service, { disabledAt: new Date() });
    for (const token of [hashOf(PASSWORD), tokenOf(service, player)])
      expect((await checkBoth(player.account, token)).error).toBe('account_disabled');
  });

  it('takes a POST with everything in its query, as the previous generation did', async () => {
    const { account } = await createPlayer(service);
    const query = `account=${account}&token=${hashOf(PASSWORD)}`;
    expect((await service.client.send('POST', `/api/check?${query}`)).body.data).toMatchObject({
      account,
    });
    const both = await service.client.post(`/api/check?${query}`, { account });
    expect(both.body.details).toMatchObject([{ field: 'token' }]);
  });

  it('refuses a query that says a thing twice', async () => {
    const answer = await service.client.get('/api/check?account=a&account=b&token=x');
    expect(answer.body.error).toBe('invalid_request');
  });
});
