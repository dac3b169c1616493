import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../src/platform/auth/player.entity.js';
import { findOwnersMailbox } from '../../src/operators/actions/players/player-actions.js';
import { PlayerCredentials } from '../../src/operators/actions/players/player-credentials.js';
import { PlayerLink } from '../../src/features/links/player-link.entity.js';
import { newMailbox, PASSWORD, unique } from '../support/accounts.js';
import { addAuthenticator, Authenticator, secondStep } from '../support/api/authenticator.js';
import { createPlayer } from '../support/api/factories.js';
import type { MailApp } from '../support/api/mail-app.js';
import { profileRequests, startProfileApp } from '../support/api/profile.js';
import { startPlayerCommand, type TestCommand } from '../support/api/run-command.js';
import { withClockAhead } from '../support/api/shift-clock.js';
import { until } from '../support/until.js';

const FREEZE = 0;
const MINUTES = 60;
let service: MailApp;
let command: TestCommand;

beforeAll(async () => {
  service = await startProfileApp();
  command = await startPlayerCommand(service);
});
afterAll(async () => {
  await command.stop();
  await service.stop();
});

const { post, bind, tokenFor, codeFor, fromTheForum } = profileRequests(() => service);
const WHO = { by: 'anna', note: 'ticket 811' };
const act = (...args: string[]) =>
  command.run(...args, '--by', WHO.by, '--note', WHO.note, '--yes');
const credentials = () => command.context.get(PlayerCredentials);
async function mailsTo(mailbox: string): Promise<string> {
  const mails = service.mail.mailsTo(mailbox).map(({ raw }) => PostalMime.parse(raw));
  return (await Promise.all(mails)).map(({ text }) => text).join('\n');
}
const stored = (id: number) => service.database.getRepository(Player).findOneByOrFail({ id });

async function moveMailbox(token: string, to: string, password?: string): Promise<void> {
  const form = { email: to, code: await codeFor(to), password };
  expect((await post('account/email', form, token)).status).toBe(200);
}

describe('gatehouse player secure', () => {
  it("rejects an account's first e-mail address if it was set only recently, without removing the forum link", async () => {
    const { token, name, connectId } = await fromTheForum();
    const [thiefs, owners] = [newMailbox(), newMailbox()];
    await moveMailbox(token, thiefs);
    await expect(act('secure', name)).rejects.toThrow('changed within 72 hours, from none');
    await expect(act('secure', name, '--email', thiefs)).rejects.toThrow('not a new one');
    const links = service.database.getRepository(PlayerLink);
    expect(await links.existsBy({ connectId })).toBe(true);
    const { text } = await command.run('show', name);
    expect(text).toContain(`${thiefs}; changed within 72 hours, from none`);
    await act('secure', name, '--email', owners);
    const { data } = await command.run('show', name);
    expect(data).toMatchObject({ player: { email: owners }, links: [] });
  });

  it('accepts the e-mail address set before a change that was undone, and rejects the one set by that change', async () => {
    const [mine, theirs] = [newMailbox(), newMailbox()];
    const { id, account } = await createPlayer(service, { email: mine });
    const token = await tokenFor(await stored(id));
    await moveMailbox(token, theirs, PASSWORD);
    await moveMailbox(token, mine, PASSWORD);
    await expect(act('secure', account, '--email', theirs)).rejects.toThrow('not a new one');
    const { manager } = service.database;
    expect(await findOwnersMailbox(manager, await stored(id), mine)).toBe(mine);
    await act('secure', account);
    expect((await stored(id)).email).toBe(mine);
  });
});

describe('gatehouse player set-password', () => {
  it('pauses withdrawals and mails the owner', async () => {
    const { id, account, email } = await createPlayer(service, { email: newMailbox() });
    const failure = await credentials().setPassword(WHO, id, 'a new password');
    expect(failure).toBeUndefined();
    expect((await stored(id)).withdrawPausedAt).toEqual(expect.any(Date));
    expect(await mailsTo(email!)).toContain(
      `Support set a new password for your account ${account}`,
    );
  });
});

describe('gatehouse player set-email', () => {
  it('pauses withdrawals and notifies the old and the new e-mail address', async () => {
    const [before, after] = [newMailbox(), newMailbox()];
    const { id, account } = await createPlayer(service, { email: before });
    await act('set-email', account, '--email', after);
    expect((await stored(id)).withdrawPausedAt).toEqual(expect.any(Date));
    for (const mailbox of [before, after])
      expect(await mailsTo(mailbox)).toContain(
        `Support changed the e-mail address of your account ${account} to m•••@mail.example`,
      );
  });

  it('reports that the owner was not notified if the mail server rejects the e-mail', async () => {
    const player = await createPlayer(service, { email: 'not a mailbox' });
    const { text } = await act('set-email', player.account, '--email', newMailbox());
    expect(text).toContain('The owner was not told by mail: ');
  });
});

describe('A new linked identity', () => {
  const LINKED = 'was linked to your account';
  const mailsAboutLinks = async (mailbox: string) =>
    (await mailsTo(mailbox)).split('\n').filter((line) => line.includes(LINKED));
  const told = (player: Player, connectId: string) =>
    until(async () =>
      (await mailsAboutLinks(player.email!)).some(
        (line) => line.includes(player.account) && line.includes(`(forum ${connectId})`),
      ),
    );

  it('is reported to the owner by e-mail, whoever linked it, but not when the link is repeated', async () => {
    const [signedIn, byPassword, byGame] = await Promise.all(
      [1, 2, 3].map(() => createPlayer(service, { email: newMailbox() })),
    );
    const [first, second, third] = [unique('person'), unique('person'), unique('person')];
    const token = await tokenFor(signedIn!);
    for (let n = 0; n < 2; n++) expect((await bind(first, {}, token)).status).toBe(200);
    await bind(second, { account: byPassword!.account, password: PASSWORD });
    await post('bind_account', { account: byGame!.account, connect_id: third });
    await told(signedIn!, first);
    await told(byPassword!, second);
    // E-mails are sent in order, so an e-mail about the repeat would have arrived before this one.
    await told(byGame!, third);
    expect(await mailsAboutLinks(signedIn!.email!)).toHaveLength(1);
  });

  it('is reported to the owner by e-mail after the second step of the sign-in that linked it', async () => {
    const player = await createPlayer(service, { email: newMailbox() });
    const token = await tokenFor(player);
    const app = await withClockAhead(FREEZE, () => addAuthenticator(service.client, token));
    const connectId = unique('person');
    const answer = await bind(connectId, { account: player.account, password: PASSWORD });
    const proof = { recovery_code: app.recoveryCodes[0] };
    expect((await secondStep(service.client, answer.body.ticket, proof)).status).toBe(200);
    await told(player, connectId);
  });
});

describe('The link that undoes an e-mail change', () => {
  async function useLinkIn(mailbox: string): Promise<void> {
    await until(async () => (await mailsTo(mailbox)).includes('#undo='));
    const token = /#undo=(\S+)/.exec(await mailsTo(mailbox))![1];
    expect((await post('account/email/undo', { token })).status).toBe(200);
  }
  const resetThrough = async (account: string, email: string) =>
    withClockAhead(2 * MINUTES, async () => {
      const form = { account, email, code: await codeFor(email), password: 'a new password' };
      return post('reset_password', form);
    });

  it('keeps the factor that confirmed the change, so that a reset still requires it, and notifies both e-mail addresses', async () => {
    const [left, current] = [newMailbox(), newMailbox()];
    const { account, id } = await createPlayer(service, { email: left });
    const token = await tokenFor(await stored(id));
    await withClockAhead(FREEZE, async () => {
      const app = await addAuthenticator(service.client, token);
      expect((await post('session/confirm', { code: app.code() }, token)).status).toBe(200);
      await moveMailbox(token, current);
    });
    await useLinkIn(left);
    await until(async () => (await mailsTo(left)).includes('has this e-mail address again'));
    expect(await mailsTo(left)).toContain('Signing in still takes the second step');
    await until(async () => (await mailsTo(current)).includes('no longer belongs to the account'));
    const { body } = await resetThrough(account, left);
    expect(body).toMatchObject({ error: 'second_factor_required', methods: expect.any(Array) });
  });

  it('removes an app that was confirmed after the change, even if its enrolment began before', async () => {
    const [owners, thiefs] = [newMailbox(), newMailbox()];
    const { account, id } = await createPlayer(service, { email: owners });
    const token = await tokenFor(await stored(id));
    const { secret } = (await post('account/totp', {}, token)).body.data;
    await moveMailbox(token, thiefs, PASSWORD);
    await withClockAhead(MINUTES, async () => {
      const code = new Authenticator(secret, []).code();
      expect((await post('account/totp/confirm', { code }, token)).status).toBe(200);
    });
    await useLinkIn(owners);
    expect((await resetThrough(account, owners)).status).toBe(200);
  });
});
