import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../src/platform/auth/player.entity.js';
import { newMailbox, PASSWORD, unique } from '../support/accounts.js';
import { type TestApp, startApp } from '../support/api/app.js';
import { createPlayer } from '../support/api/factories.js';
import { storeCode } from '../support/api/registration.js';

let service: TestApp;

beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.stop());

const errorOf = async (form: object) =>
  (await service.client.post('/api/reset_password', form)).body.error;

async function newReset() {
  const email = newMailbox();
  const player = await createPlayer(service, { email });
  const code = await storeCode(service, email);
  return { player, form: { account: player.account, email, code, password: 'a new one' } };
}

describe('POST /api/reset_password', () => {
  it('treats a wrong pair of account and e-mail address like a wrong code and changes nothing', async () => {
    const { player, form } = await newReset();
    const other = await createPlayer(service, { email: newMailbox() });
    const without = await createPlayer(service);
    for (const account of [other.account, without.account, unique('nobody'), ` ${player.account}`])
      expect(await errorOf({ ...form, account })).toBe('code_invalid');
    const { account } = other;
    const login = await service.client.post('/api/login', { account, password: PASSWORD });
    expect(login.status).toBe(200);
    expect(await errorOf(form)).toBeUndefined();
  });

  it('invalidates the code after five wrong pairs of account and e-mail address', async () => {
    const { form } = await newReset();
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await errorOf({ ...form, account: 'nobody_here' })).toBe('code_invalid');
    expect(await errorOf(form)).toBe('code_invalid');
  });

  it('rejects the current password because it would leave old tokens valid', async () => {
    const { form } = await newReset();
    const { body } = await service.client.post('/api/reset_password', {
      ...form,
      password: PASSWORD,
    });
    expect(body).toMatchObject({ error: 'invalid_request', details: [{ field: 'password' }] });
    expect(await errorOf(form)).toBeUndefined();
  });

  it.each([['true'], [1], [[]]])('rejects %j as drop_links', async (drop_links) => {
    const { form } = await newReset();
    const { body } = await service.client.post('/api/reset_password', { ...form, drop_links });
    expect(body).toMatchObject({ error: 'invalid_request', details: [{ field: 'drop_links' }] });
  });

  it('rejects a disabled account and keeps the code valid', async () => {
    const { player, form } = await newReset();
    const players = service.database.getRepository(Player);
    await players.update({ id: player.id }, { disabledAt: new Date() });
    expect(await errorOf(form)).toBe('account_disabled');
    await players.update({ id: player.id }, { disabledAt: null });
    expect(await errorOf(form)).toBeUndefined();
  });
});
