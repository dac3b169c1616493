import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlayerPasskey } from '../../../src/features/second-factor/second-factor.entities.js';
import { Player } from '../../../src/platform/auth/player.entity.js';
import { Session } from '../../../src/platform/auth/session.entity.js';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import { findPlayer } from '../../support/api/closing.js';
import { createPlayer, passwordHash } from '../../support/api/factories.js';
import type { MailApp } from '../../support/api/mail-app.js';
import { profileRequests, RELAXED, startProfileApp } from '../../support/api/profile.js';
import { until } from '../../support/until.js';

const DAY_MS = 86_400_000;
let service: MailApp;

beforeAll(async () => {
  service = await startProfileApp();
});
afterAll(() => service.stop());

const { post, account, me, tokenFor, fromTheForum, codeFor } = profileRequests(() => service);
const close = (token: string, password?: string) => post('account/close', { password }, token);
const keep = (token: string) => post('account/keep', {}, token);

/** Backdates the sign-in by 11 minutes. */
async function ageSignIn(playerId: number): Promise<void> {
  const confirmedAt = new Date(Date.now() - 11 * 60_000);
  await service.database.getRepository(Session).update({ playerId }, { confirmedAt });
}

/** Waits for an e-mail that contains the word, and returns all such e-mails to the e-mail address. */
async function mailsAbout(word: string, email: string): Promise<string[]> {
  let texts: string[] = [];
  await until(async () => {
    const mails = await Promise.all(
      service.mail.mailsTo(email).map(({ raw }) => PostalMime.parse(raw)),
    );
    texts = mails.map(({ text }) => text ?? '').filter((text) => text.includes(word));
    return texts.length > 0;
  });
  return texts;
}

async function expectNotClosing(id: number): Promise<void> {
  expect((await findPlayer(service, id)).closingAt).toBeNull();
}

describe('POST /api/account/close', () => {
  it('sets the closing time once, ends all other sessions and e-mails how to keep the account', async () => {
    const email = newMailbox();
    const player = await createPlayer(service, { email });
    const [token, other] = [await tokenFor(player), await tokenFor(player)];
    expect((await account(token)).data.closing_at).toBeNull();
    const before = Date.now();
    const answer = await close(token, PASSWORD);
    expect(answer.status).toBe(200);
    const { closing_at } = answer.body.data;
    const days = (Date.parse(closing_at) - before) / DAY_MS;
    expect(days).toBeGreaterThanOrEqual(7);
    expect(days).toBeLessThan(7.01);
    expect((await account(token)).data.closing_at).toBe(closing_at);
    expect((await me(other)).body.error).toBe('unauthorized');
    const later = await tokenFor(player);
    expect((await close(later, PASSWORD)).body.data).toEqual({ closing_at });
    expect((await me(token)).status).toBe(200);
    const [text, ...more] = await mailsAbout('注销', email);
    expect(more).toEqual([]);
    const minute = closing_at.slice(0, 16).replace('T', ' ');
    for (const part of [player.account, `${minute} UTC`, '/account', 'Keep my account'])
      expect(text).toContain(part);
  });

  it('requires recent authentication, and the password even right after a sign-in', async () => {
    const player = await createPlayer(service);
    const token = await tokenFor(player);
    expect((await close(token)).body).toMatchObject({
      error: 'invalid_request',
      details: [{ field: 'password' }],
    });
    expect((await close(token, 'a guess')).body.error).toBe('bad_credentials');
    await ageSignIn(player.id);
    expect((await close(token, PASSWORD)).body.error).toBe('sign_in_again');
    await expectNotClosing(player.id);
    await post('session/confirm', { password: PASSWORD }, token);
    expect((await close(token, PASSWORD)).status).toBe(200);
  });

  it('requires only a recent sign-in from a forum player, who has no password', async () => {
    const { token, name } = await fromTheForum();
    const { id } = await service.database
      .getRepository('player')
      .findOneByOrFail({ account: name });
    await ageSignIn(id);
    expect((await close(token)).body.error).toBe('sign_in_again');
    await service.database
      .getRepository(Session)
      .update({ playerId: id }, { confirmedAt: new Date() });
    expect((await close(token)).status).toBe(200);
  });

  it("accepts an imported player's password and stores the standard hash", async () => {
    const plain = await createPlayer(service, { imported: true });
    expect((await close(await tokenFor(plain), PASSWORD)).status).toBe(200);
    expect((await findPlayer(service, plain.id)).password).toBe(passwordHash(service, PASSWORD));
  });

  it('returns closing_disabled if close_days is 0', async () => {
    await service.changeSettings({ ...RELAXED, account: { close_days: 0 } });
    const player = await createPlayer(service);
    const answer = await close(await tokenFor(player), PASSWORD);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 42207, error: 'closing_disabled' });
    await service.changeSettings({ ...RELAXED, account: { close_days: 30 } });
    const { closing_at } = (await close(await tokenFor(player), PASSWORD)).body.data;
    expect((Date.parse(closing_at) - Date.now()) / DAY_MS).toBeGreaterThan(29.9);
    await service.changeSettings(RELAXED);
  });
});

describe('POST /api/account/keep', () => {
  it('cancels the closing from any session and does nothing for other accounts', async () => {
    const player = await createPlayer(service);
    const token = await tokenFor(player);
    await close(token, PASSWORD);
    const later = await tokenFor(player);
    await ageSignIn(player.id);
    expect((await keep(later)).body).toEqual({ code: 0, message: 'ok', data: {} });
    expect((await account(token)).data.closing_at).toBeNull();
    expect((await keep(later)).status).toBe(200);
  });
});

describe('The link that undoes an e-mail change', () => {
  it('also cancels a closing because a thief may have requested it', async () => {
    const [email, stolen] = [newMailbox(), newMailbox()];
    const player = await createPlayer(service, { email });
    const token = await tokenFor(player);
    const change = { email: stolen, code: await codeFor(stolen), password: PASSWORD };
    expect((await post('account/email', change, token)).status).toBe(200);
    expect((await close(token, PASSWORD)).status).toBe(200);
    const [text] = await mailsAbout('#undo=', email);
    const undo = /#undo=(\S+)/.exec(text!)![1];
    expect((await post('account/email/undo', { token: undo })).status).toBe(200);
    await expectNotClosing(player.id);
  });

  it.each([
    ['removes a second factor that a thief added', 0, false],
    ['keeps a second factor that the owner had before', 10, true],
  ])('%s', async (_, daysAgo, isKept) => {
    const [email, stolen] = [newMailbox(), newMailbox()];
    const player = await createPlayer(service, { email });
    const token = await tokenFor(player);
    const change = { email: stolen, code: await codeFor(stolen), password: PASSWORD };
    expect((await post('account/email', change, token)).status).toBe(200);
    const { manager } = service.database;
    const createdAt = new Date(Date.now() - daysAgo * 86_400_000);
    const passkey = { credentialId: `of ${player.id}`, publicKey: 'key', name: 'a' };
    await manager.insert(PlayerPasskey, { playerId: player.id, ...passkey, createdAt });
    await manager.update(Player, player.id, { hasSecondFactor: true });
    const [text] = await mailsAbout('#undo=', email);
    const undo = /#undo=(\S+)/.exec(text!)![1];
    expect((await post('account/email/undo', { token: undo })).status).toBe(200);
    expect(await manager.countBy(PlayerPasskey, { playerId: player.id })).toBe(isKept ? 1 : 0);
    const { hasSecondFactor } = await manager.findOneByOrFail(Player, { id: player.id });
    expect(hasSecondFactor).toBe(isKept);
  });
});
