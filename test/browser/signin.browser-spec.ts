import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleLayout } from '../support/browser/chromium.js';
import { PASSWORD, unique } from '../support/api/factories.js';
import { until } from '../support/until.js';
import {
  requestCode,
  expectTokenOnlyInSessionStorage,
  heading,
  signIn,
} from '../support/browser/web-player.js';
import { WebTestbed } from '../support/browser/web-testbed.js';

let stage: WebTestbed;
const heading2 = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });
const open = (path: string, wishes = {}) => stage.chromium.open(stage.url + path, wishes);

beforeAll(async () => {
  stage = await WebTestbed.start();
  await stage.addServer({ name: 'Dragon Valley' });
  await stage.addServer({ name: 'Ox Demon Cave', status: 'maintenance' });
  await stage.addServer({ name: 'Phoenix Terrace', status: 'new' });
});
afterEach(() => stage.chromium.expectNoComplaints());
afterAll(() => stage.stop());

describe('a newcomer', () => {
  it('registers with the code from the mail, and is inside', async () => {
    const [account, email] = [unique('hero'), `${unique('mail')}@example.com`];
    const page = await open('/?agent_id=77');
    await page.getByRole('link', { name: 'Register' }).click();
    await page.getByLabel('Account').fill(account);
    await page.getByLabel('E-mail', { exact: true }).fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();

    const code = page.getByLabel('Code from the e-mail');
    await until(() => code.evaluate((field) => field === field.ownerDocument.activeElement));
    expect(await page.getByRole('button', { name: /^(1:00|0:\d\d)$/ }).isVisible()).toBe(true);
    await code.fill(await stage.mail.codeFor(email));
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    const realm = page.getByRole('button', { name: /^First realm/ });
    // The newest that takes newcomers is proposed.
    expect(await realm.textContent()).toMatch(/Phoenix Terrace.*New/);
    await realm.click();
    const picker = page.getByRole('dialog', { name: 'First realm' });
    await expectAccessibleLayout(page);
    await picker.getByRole('button', { name: 'Maintenance: Ox Demon Cave' }).click({ force: true });
    await picker.getByRole('button', { name: 'Choose: Dragon Valley' }).click();
    await picker.waitFor({ state: 'detached' });
    expect(await realm.textContent()).toMatch(/Dragon Valley.*Open/);

    const request = page.waitForRequest('**/api/register*');
    await page.getByRole('button', { name: 'Create account' }).click();
    expect(new URL((await request).url()).search).toBe('?agent_id=77');
    await heading(page, 'Choose your realm').waitFor();
    await expectTokenOnlyInSessionStorage(page);
    await heading2(page, 'Dragon Valley').waitFor();
    const [player] = await stage.sql('SELECT * FROM player WHERE account = ?', [account]);
    expect(player).toMatchObject({ email, device: 'desktop', os: expect.stringMatching(/^Linux/) });
    expect(player!.browse).toMatch(/^Chrome \d/);
  });

  it('who mistyped the mailbox need not wait to send the code to the right one', async () => {
    const [wrong, right] = [`${unique('mail')}@example.com`, `${unique('mail')}@example.com`];
    const page = await open('/signin?mode=register');
    const email = page.getByLabel('E-mail', { exact: true });
    const running = page.getByRole('button', { name: /^(1:00|0:\d\d)$/ });
    const send = page.getByRole('button', { name: 'Send code' });
    await send.waitFor();
    await email.fill(wrong);
    await send.click();
    await running.waitFor();
    await email.fill(right);
    await send.click();
    await running.waitFor();
    expect(await stage.mail.codeFor(right)).toMatch(/^\d{6}$/);

    await email.fill(wrong);
    await send.click();
    await page.getByRole('alert').waitFor();
    await running.waitFor();
    await email.fill(`new.${right}`);
    await send.waitFor();
  });

  it.each([
    ['register', 'en-US', '8 digits, valid for 90 seconds', 'The code has 8 digits.'],
    ['reset', 'zh-CN', '8 位数字，90秒钟内有效', '验证码为 8 位数字。'],
  ] as const)(
    'reads the rules of a code as the service has them: %s',
    async (mode, language, hint, problem) => {
      const page = await open('/signin', { language });
      await page.route('**/api/config', async (route) => {
        const answer = await (await route.fetch()).json();
        answer.data.code = { length: 8, expires_in: 90, resend_in: 30 };
        await route.fulfill({ json: answer });
      });
      await page.goto(`${stage.url}/signin?mode=${mode}`);
      await page.getByText(hint, { exact: true }).waitFor();
      const code = page.locator('[name=code]');
      await code.fill('123456');
      await code.press('Enter');
      await page.getByText(problem, { exact: true }).waitFor();
      await code.fill('1234 5678');
      await code.press('Enter');
      await page.getByText(problem, { exact: true }).waitFor({ state: 'detached' });
    },
  );

  it('is told at the field what is wrong, and led there', async () => {
    const taken = await stage.createAccount();
    const email = `${unique('mail')}@example.com`;
    const page = await open('/signin?mode=register');
    await page.getByRole('button', { name: 'Create account' }).click();
    const account = page.getByLabel('Account');
    expect(await account.getAttribute('aria-invalid')).toBe('true');
    expect(await account.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(
      true,
    );

    const password = page.getByLabel('Password', { exact: true });
    await password.fill('x'.repeat(65));
    await page.getByRole('button', { name: 'Create account' }).click();
    expect(await password.inputValue()).toHaveLength(65);
    expect(await password.getAttribute('aria-invalid')).toBe('true');

    await account.fill(taken);
    // Corrected, it is no longer called wrong.
    expect(await account.getAttribute('aria-invalid')).toBeNull();
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Code from the e-mail').fill(await requestCode(stage, page, email));
    await password.fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('This name is taken.').waitFor();
    expect(await account.getAttribute('aria-invalid')).toBe('true');
  });
});

describe('a player', () => {
  it('signs in with the keyboard alone', async () => {
    const account = await stage.createAccount();
    const page = await open('/signin');
    await page.locator('[name=account]:focus').waitFor();
    await page.keyboard.type(account);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await heading(page, 'Choose your realm').waitFor();
    await expectTokenOnlyInSessionStorage(page);
  });

  it('signs in with the mailbox', async () => {
    const email = `${unique('mail')}@example.com`;
    const account = await stage.createAccount(email);
    const page = await open('/signin');
    await page.getByLabel('Account or e-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText(`Welcome, ${account}`).waitFor();
  });

  it('is no longer told what was wrong while it is being mended', async () => {
    const account = await stage.createAccount();
    const page = await open('/signin');
    await signIn(page, account, 'wrong password');
    const refusal = page.getByText('Account and password do not match.');
    await refusal.waitFor();
    await page.getByLabel('Password', { exact: true }).press('a');
    await refusal.waitFor({ state: 'detached' });
  });

  it('is held up after too many wrong passwords, and sees for how long', async () => {
    const account = await stage.createAccount();
    const page = await open('/signin');
    for (let attempt = 0; attempt < 5; attempt++) {
      const answer = page.waitForResponse('**/api/login');
      await signIn(page, account, 'wrong password');
      await (await answer).finished();
    }
    await signIn(page, account);
    await page.getByText('Too many wrong tries.').waitFor();
    const button = page.getByRole('button', { name: /Again in 0:\d\d|Again in 1:00/ });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('sets a new password with a code, and is inside', async () => {
    const email = `${unique('mail')}@example.com`;
    const account = await stage.createAccount(email);
    const page = await open('/signin');
    await page.getByRole('link', { name: 'Reset password' }).click();
    await page.getByText('Forgotten? The e-mail with the code says it.').waitFor();
    await page.getByLabel('Account').fill(account);
    const code = await requestCode(stage, page, email);
    await page.getByLabel('New password').fill('a better password');
    await page.getByLabel('Code from the e-mail').fill(code === '000000' ? '000001' : '000000');
    await page.getByRole('button', { name: 'Set new password' }).click();
    await page.getByText(/Check the digits, or ask again in 0:\d\d\./).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Account').fill('somebody else');
    await page.getByRole('link', { name: 'Reset password' }).click();
    await page.getByRole('button', { name: 'Set new password' }).waitFor();
    // Nothing is lost: neither what was typed, nor the time until the next code.
    expect(await page.getByLabel('Account').inputValue()).toBe(account);
    expect(await page.getByLabel('New password').inputValue()).toBe('a better password');
    await page.getByRole('button', { name: /^0:\d\d$/ }).waitFor();
    await page.getByRole('link', { name: 'Register' }).click();
    await page.getByLabel('E-mail', { exact: true }).fill(email);
    await page.getByRole('button', { name: /^0:\d\d$/ }).waitFor();
    await page.getByRole('link', { name: 'Reset password' }).click();
    await page.getByLabel('Code from the e-mail').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    expect(await page.getByText(/Check the digits/).count()).toBe(0);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set new password' }).click();
    await page.getByText('This is the password you have now.').waitFor();
    await page.getByLabel('New password').fill('a better password');
    await page.getByRole('button', { name: 'Set new password' }).click();

    await page.getByText(`The password of ${account} is set, and you are signed in.`).waitFor();
    await expectTokenOnlyInSessionStorage(page);
    await heading(page, 'Choose your realm').waitFor();
  });

  it('is told which linked accounts can still sign in after a reset, and can remove them with it', async () => {
    const account = await stage.createAccount(`${unique('mail')}@example.com`);
    const [player] = await stage.sql('SELECT id FROM player WHERE account = ?', [account]);
    await stage.sql(
      `INSERT INTO player_connect_threeparty (player_id, provider, connect_id) VALUES (?, 'forum', ?)`,
      [player!.id, account],
    );
    for (const password of ['a better password', 'the best password']) {
      const page = await open('/signin?mode=reset');
      // Another mailbox each time: a code a minute goes to each.
      const email = `${unique('mail')}@example.com`;
      await stage.sql('UPDATE player SET email = ? WHERE account = ?', [email, account]);
      await page.getByLabel('Account').fill(account);
      await page.getByLabel('Code from the e-mail').fill(await requestCode(stage, page, email));
      await page.getByLabel('New password').fill(password);
      if (password === 'the best password') await page.getByLabel('Also remove linked').check();
      await page.getByRole('button', { name: 'Set new password' }).click();
      const done = page.getByText(`The password of ${account} is set`);
      await done.waitFor();
      const names = (await done.textContent())!.includes(`forum ${account}`);
      expect(names).toBe(password === 'a better password');
      // Where they can be unlinked.
      await page.waitForURL(stage.url + (names ? '/account' : '/'));
    }
  });
});
