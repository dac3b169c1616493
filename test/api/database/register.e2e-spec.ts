import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Promoter } from '../../../src/features/accounts/registration.service.js';
import { RegistrationDay } from '../../../src/features/accounts/registration-limits.js';
import type { GameServer } from '../../../src/features/servers/game-server.entity.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { newMailbox, PASSWORD, unique } from '../../support/accounts.js';
import { type TestApp, startApp } from '../../support/api/app.js';
import { addServer, createPlayer } from '../../support/api/factories.js';
import { inParallel } from '../../support/api/parallel.js';
import { register, registrationForm } from '../../support/api/registration.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { MailServer } from '../../support/servers/smtp.js';

const RELAXED = {
  rate_limit: { per_minute: 100_000 },
  registration: { per_address_day: null },
};
let mail: MailServer;
let service: TestApp;
let server: GameServer;

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startApp({ env: { SMTP_URL: mail.url }, settings: RELAXED });
  server = await addServer(service.database);
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const at = (time: string, work: () => Promise<void>) =>
  withClockAhead((Date.parse(time) - Date.now()) / 1000, work);
const players = () => service.database.getRepository(Player);
const newForm = () => registrationForm(service, server.id);

describe('POST /api/register', () => {
  it('creates an account with a mailed code and signs it in', async () => {
    const email = newMailbox();
    await service.client.post('/api/send_code', { email: email.toUpperCase() });
    const account = unique('a').slice(0, 20);
    const answer = await register(service, {
      account,
      password: PASSWORD,
      email: email.toUpperCase(),
      code: await mail.codeFor(email),
      server_id: server.id,
      device: 'Phone',
      os: '安卓',
      browse: '',
    });
    expect(answer.body.data).toEqual({ account, token: expect.any(String), expires_in: 86_400 });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { token } = answer.body.data;
    expect((await service.client.get('/api/bind', { token })).status).toBe(200);
    const login = await service.client.post('/api/login', { account, password: PASSWORD });
    expect(login.body.data).toMatchObject({ account, server_id: server.id });
    const stored = await players().findOneByOrFail({ account });
    expect(stored).toMatchObject({
      email,
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
    expect(Math.abs(stored.createdAt.getTime() - Date.now())).toBeLessThan(600_000);
  });

  it('credits an active promoter and ignores an inactive or unknown one', async () => {
    const promoters = service.database.getRepository(Promoter);
    const { id } = await promoters.save({ name: 'active' });
    const { id: inactive } = await promoters.save({ name: 'inactive', active: false });
    await promoters.insert({ id: 2_100_000_000, name: 'with a large id' });
    const cases: Array<[number, number | null]> = [
      [id, id],
      [inactive, null],
      [999_999_999, null],
      [2_100_000_000, 2_100_000_000],
    ];
    for (const [given, agentId] of cases) {
      const form = await newForm();
      expect((await register(service, form, `?agent_id=${given}`)).status).toBe(200);
      expect(await players().findOneBy({ account: form.account })).toMatchObject({ agentId });
    }
  });

  it('rejects a name that is taken, regardless of case, and keeps the code valid', async () => {
    const { account } = await createPlayer(service, { account: unique('Taken') });
    const form = await newForm();
    for (const name of [account, account.toUpperCase()])
      expect((await register(service, { ...form, account: name })).body.error).toBe(
        'account_taken',
      );
    expect((await register(service, form)).status).toBe(200);
  });

  it("rejects another player's game name, regardless of case, and keeps the code valid", async () => {
    const { id } = await createPlayer(service);
    const gameAccount = unique('Game').slice(0, 20);
    await players().update({ id }, { gameAccount });
    const form = await newForm();
    for (const name of [gameAccount, gameAccount.toLowerCase(), gameAccount.toUpperCase()])
      expect((await register(service, { ...form, account: name })).body.error).toBe(
        'account_taken',
      );
    expect((await register(service, form)).status).toBe(200);
  });

  it('creates one account per code for parallel requests', async () => {
    const form = await newForm();
    const answers = await inParallel(() =>
      register(service, { ...form, account: unique('a').slice(0, 20) }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await players().countBy({ email: form.email })).toBe(1);
  });

  it('creates one account per name for parallel requests', async () => {
    const forms = await inParallel(newForm);
    const account = unique('same').slice(0, 20);
    const answers = await inParallel((index) => register(service, { ...forms[index], account }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'account_taken')).toHaveLength(7);
    expect(await players().countBy({ account })).toBe(1);
  });

  it('reveals at most five taken names per code, even for parallel requests', async () => {
    const { account } = await createPlayer(service);
    const form = await newForm();
    const answers = await inParallel(() => register(service, { ...form, account }));
    expect(answers.filter(({ body }) => body.error === 'account_taken')).toHaveLength(5);
    expect((await register(service, form)).body.error).toBe('code_invalid');
  });

  it('never exceeds day_max_reg, and a rejected request neither counts nor uses up its code', async () => {
    await at('2031-05-01T12:00:00Z', async () => {
      await service.changeSettings({ ...RELAXED, day_max_reg: 3 });
      const forms = await inParallel(newForm);
      const answers = await inParallel((index) => register(service, forms[index]!));
      const refused = answers.filter(({ body }) => body.error === 'registration_cap_reached');
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      expect(refused).toHaveLength(5);
      await service.changeSettings({ ...RELAXED, day_max_reg: 4 });
      const next = forms[answers.indexOf(refused[0]!)]!;
      const { account } = forms[answers.findIndex(({ status }) => status === 200)]!;
      expect((await register(service, { ...next, account })).body.error).toBe('account_taken');
      expect((await register(service, next)).status).toBe(200);
    });
  });

  it('restarts the day_max_reg count each day in the configured time zone', async () => {
    await service.changeSettings({ ...RELAXED, day_max_reg: 1, timezone: 'Asia/Shanghai' });
    await at('2031-05-05T15:59:00Z', async () => {
      expect((await register(service, await newForm())).status).toBe(200);
      const refused = await register(service, await newForm());
      expect(refused.body.error).toBe('registration_cap_reached');
      expect(refused.body.retry_after).toBe(60);
    });
    await at('2031-05-05T16:00:00Z', async () =>
      expect((await register(service, await newForm())).status).toBe(200),
    );
    const days = service.database.getRepository(RegistrationDay);
    expect(await days.findBy({ taken: 1 })).toMatchObject([
      { day: '2031-05-05' },
      { day: '2031-05-06' },
    ]);
  });
});
