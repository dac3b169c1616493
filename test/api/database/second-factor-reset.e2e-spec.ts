import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditEvent } from '../../../src/platform/audit/audit.entity.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import { startApp, type TestApp } from '../../support/api/app.js';
import { addAuthenticator, secondStep } from '../../support/api/authenticator.js';
import { deskUser, type DeskUser, startDesk, type TestDesk } from '../../support/api/desk.js';
import { createPlayer } from '../../support/api/factories.js';
import { startPlayerCommand, type TestCommand } from '../../support/api/run-command.js';
import { withClockAhead } from '../../support/api/shift-clock.js';
import { MailServer } from '../../support/servers/smtp.js';

const FREEZE = 0;
const note = 'ticket 811';
let mail: MailServer;
let service: TestApp;
let desk: TestDesk;
let command: TestCommand;

beforeAll(async () => {
  mail = await MailServer.start();
  service = await startApp({ env: { SMTP_URL: mail.url } });
  desk = await startDesk(service);
  command = await startPlayerCommand(service);
});
afterAll(async () => {
  await command.stop();
  await desk.stop();
  await service.stop();
  await mail.stop();
});

const run = (...args: string[]) => command.run(...args);
const reset = (account: string) =>
  run('reset-second-factor', account, '--by', 'anna', '--note', note, '--yes');
const login = (account: string) =>
  service.client.post('/api/login', { account, password: PASSWORD });

async function withApp() {
  const player = await createPlayer(service, { email: newMailbox() });
  const { token } = (await login(player.account)).body.data;
  const app = await withClockAhead(FREEZE, () => addAuthenticator(service.client, token));
  return { player, app };
}

async function expectReset({ id, account, email }: Player, by: string): Promise<void> {
  expect((await login(account)).status).toBe(200);
  const { manager } = service.database;
  const stored = await manager.findOneByOrFail(Player, { id });
  expect([stored.hasSecondFactor, stored.withdrawPausedAt]).toEqual([false, expect.any(Date)]);
  const act = 'player.reset-second-factor';
  const [event] = await manager.findBy(AuditEvent, { subject: `player ${id}`, act });
  expect(event).toMatchObject({
    act,
    operator: by,
    note,
    before: { totp: true, passkeys: [], recovery_codes_left: 10 },
    after: { totp: false, passkeys: [], recovery_codes_left: 0 },
  });
  const texts = await Promise.all(mail.mailsTo(email!).map(({ raw }) => PostalMime.parse(raw)));
  expect(texts.map(({ text }) => text).join('\n')).toContain(
    `Support removed all second factors of your account ${account}`,
  );
}

describe('gatehouse player reset-second-factor', () => {
  it('removes every factor, is audited, and mails the owner', async () => {
    const { player, app } = await withApp();
    const { text } = await run('show', player.account);
    expect(text).toMatch(/second factor\s+app; 10 recovery codes left/);
    const { ticket } = (await login(player.account)).body;
    const done = await reset(player.account);
    expect(done.text).toContain(`removes every second factor of ${player.account}`);
    expect(done.text).not.toContain('was not told');
    await expectReset(player, 'anna');
    const [recovery_code] = app.recoveryCodes;
    const late = await secondStep(service.client, ticket, { recovery_code });
    expect(late.body.error).toBe('second_factor_invalid');
    await expect(reset(player.account)).rejects.toThrow('has no second factor');
  });
});

describe('The desk', () => {
  it('shows the factors, and lets only admins remove them', async () => {
    const { player } = await withApp();
    const path = `/api/players/${player.id}`;
    const users: DeskUser[] = [
      await deskUser(desk, 'support'),
      await deskUser(desk, 'moderator'),
      await deskUser(desk, 'treasury'),
    ];
    for (const user of users) {
      const { data } = (await user.get(path)).body;
      expect(data.two_factor).toEqual({ totp: true, passkeys: [], recovery_codes_left: 10 });
      expect(data.may).not.toContain('reset_second_factor');
      expect((await user.post(`${path}/reset_second_factor`, { note })).status).toBe(403);
    }
    const admin = await deskUser(desk, 'admin');
    expect((await admin.get(path)).body.data.may).toContain('reset_second_factor');
    expect((await admin.post(`${path}/reset_second_factor`, {})).status).toBe(400);
    const { data } = (await admin.post(`${path}/reset_second_factor`, { note })).body;
    expect(data.two_factor).toEqual({ totp: false, passkeys: [], recovery_codes_left: 0 });
    expect(data.may).not.toContain('reset_second_factor');
    await expectReset(player, admin.name);
  });

  it('lets only admins secure an account that has a factor, and removes the factor', async () => {
    const { player } = await withApp();
    const path = `/api/players/${player.id}`;
    const support = await deskUser(desk, 'support');
    expect((await support.get(path)).body.data.may).not.toContain('secure');
    expect((await support.post(`${path}/secure`, { note })).status).toBe(403);
    const admin = await deskUser(desk, 'admin');
    const { data } = (await admin.post(`${path}/secure`, { note })).body;
    expect(data.two_factor).toEqual({ totp: false, passkeys: [], recovery_codes_left: 0 });
  });
});
