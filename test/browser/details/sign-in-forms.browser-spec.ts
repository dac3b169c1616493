import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import { changeConfig, expectAccessibleLayout } from '../../support/browser/chromium.js';
import { press, requestCode, signIn } from '../../support/browser/player-actions.js';
import { WebTestbed } from '../../support/browser/web-testbed.js';

const RUNNING_COUNTDOWN = /^(1:00|0:\d\d)$/;
let site: WebTestbed;
const open = (path: string) => site.chromium.open(site.url + path);

beforeAll(async () => {
  site = await WebTestbed.start();
  await site.addServer({ name: 'Dragon Valley' });
  await site.addServer({ name: 'Ox Demon Cave', status: 'maintenance' });
  await site.addServer({ name: 'Phoenix Terrace', status: 'new' });
});
afterEach(() => site.chromium.closeAndExpectNoProblems());
afterAll(() => site.stop());

describe('The registration form', () => {
  it('proposes the newest open realm and refuses a closed one', async () => {
    const page = await open('/signin?mode=register');
    const realm = page.getByRole('button', { name: /^First realm/ });
    await realm.and(page.getByText(/Phoenix Terrace.*New/)).waitFor();
    await realm.click();
    const picker = page.getByRole('dialog', { name: 'First realm' });
    await picker.getByRole('button', { name: 'Maintenance: Ox Demon Cave' }).click({ force: true });
    await expectAccessibleLayout(page);
    await picker.getByRole('button', { name: 'Choose: Dragon Valley' }).click();
    await picker.waitFor({ state: 'detached' });
    await realm.and(page.getByText(/Dragon Valley.*Open/)).waitFor();
  });

  it('moves to the code field once the code is sent', async () => {
    const page = await open('/signin?mode=register');
    await requestCode(site, page, newMailbox());
    await page.locator('[name=code]:focus').waitFor();
    await page.getByRole('button', { name: RUNNING_COUNTDOWN }).waitFor();
  });

  it('sends a code to a corrected mailbox at once, and to the same one only after a wait', async () => {
    const [wrong, right] = [newMailbox(), newMailbox()];
    const page = await open('/signin?mode=register');
    await requestCode(site, page, wrong);
    await requestCode(site, page, right);
    await page.getByLabel('E-mail', { exact: true }).fill(wrong);
    await press(page, 'Send code');
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: RUNNING_COUNTDOWN }).waitFor();
    await page.getByLabel('E-mail', { exact: true }).fill(`new.${right}`);
    await page.getByRole('button', { name: 'Send code' }).waitFor();
  });

  it('describes codes with the length and lifetime that the service tells', async () => {
    const page = await open('/agree');
    await changeConfig(page, ({ code }) => Object.assign(code, { length: 8, expires_in: 90 }));
    await page.goto(`${site.url}/signin?mode=register`);
    await page.getByText('8 digits, valid for 90 seconds', { exact: true }).waitFor();
    const field = page.locator('[name=code]');
    const problem = page.getByText('The code has 8 digits.', { exact: true });
    await field.fill('123456');
    await field.press('Enter');
    await problem.waitFor();
    await field.fill('1234 5678');
    await field.press('Enter');
    await problem.waitFor({ state: 'detached' });
  });

  it('marks each wrong field until it is edited, and moves to the first', async () => {
    const page = await open('/signin?mode=register');
    const invalid = (name: string) => page.locator(`[name=${name}][aria-invalid=true]`);
    await press(page, 'Create account');
    await page.locator('[name=account][aria-invalid=true]:focus').waitFor();
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('legend123');
    await page.getByText('6 to 64 characters · Weak: easy to guess').waitFor();
    await password.fill('x'.repeat(65));
    await press(page, 'Create account');
    await invalid('password').waitFor();
    expect(await password.inputValue()).toHaveLength(65);

    await page.getByLabel('Account').fill(await site.createAccount());
    await invalid('account').waitFor({ state: 'detached' });
    await invalid('password').waitFor();
    const email = newMailbox();
    await page.getByLabel('Code from the e-mail').fill(await requestCode(site, page, email));
    await password.fill(PASSWORD);
    await press(page, 'Create account');
    await page.getByText('This name is taken.').waitFor();
    await invalid('account').waitFor();
  });
});

describe('The sign-in form', () => {
  it('accepts the mailbox instead of the account', async () => {
    const email = newMailbox();
    const account = await site.createAccount(email);
    const page = await open('/signin');
    await signIn(page, email);
    await page.getByText(`Welcome, ${account}`).waitFor();
  });

  it('removes a refusal as soon as a field is edited', async () => {
    const page = await open('/signin');
    await signIn(page, await site.createAccount(), 'wrong password');
    const refusal = page.getByText('Account and password do not match.');
    await refusal.waitFor();
    await page.getByLabel('Password', { exact: true }).press('a');
    await refusal.waitFor({ state: 'detached' });
  });

  it('counts down for one account after too many wrong passwords, and offers a reset', async () => {
    const account = await site.createAccount();
    const page = await open('/signin');
    for (let attempt = 0; attempt < 5; attempt++) {
      const answer = page.waitForResponse('**/api/login');
      await signIn(page, account, 'wrong password');
      await (await answer).finished();
    }
    await signIn(page, account);
    await page.getByText('Too many failed attempts.').waitFor();
    const button = page.getByRole('button', { name: /^Try again in (1:00|0:\d\d)$/ });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.locator('a:focus', { hasText: 'Reset your password' }).waitFor();
    await expectAccessibleLayout(page);

    const other = await site.createAccount();
    await page.getByLabel('Account').fill(other);
    await page.getByRole('button', { name: 'Enter the gate' }).waitFor();
    await page.getByLabel('Account').fill(account);
    await button.waitFor();
    await signIn(page, other);
    await page.getByText(`Welcome, ${other}`).waitFor();
  });

  it('leads to the reset beside the password field', async () => {
    const page = await open('/signin?return_to=/withdraw');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('button', { name: 'Set new password' }).waitFor();
    expect(new URL(page.url()).search).toBe('?return_to=/withdraw&mode=reset');
  });
});

describe('The password reset form', () => {
  it('keeps what was typed and the countdown while other forms are opened', async () => {
    const email = newMailbox();
    const account = await site.createAccount(email);
    const page = await open('/signin?mode=reset');
    await page.getByLabel('Account').fill(account);
    await requestCode(site, page, email);
    await page.getByLabel('New password').fill('a better password');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Account or e-mail').fill('somebody else');
    await page.getByRole('link', { name: 'Reset password' }).click();
    await page.getByRole('button', { name: 'Set new password' }).waitFor();
    expect(await page.getByLabel('Account').inputValue()).toBe(account);
    expect(await page.getByLabel('New password').inputValue()).toBe('a better password');
    await page.getByRole('link', { name: 'Register' }).click();
    await page.getByRole('button', { name: 'Create account' }).waitFor();
    await page.getByLabel('E-mail', { exact: true }).fill(email);
    await page.getByRole('button', { name: RUNNING_COUNTDOWN }).waitFor();
  });

  it('accepts the code after a wrong code and an unchanged password', async () => {
    const email = newMailbox();
    const account = await site.createAccount(email);
    const page = await open('/signin?mode=reset');
    await page.getByLabel('Account').fill(account);
    const code = await requestCode(site, page, email);
    await page.getByLabel('Code from the e-mail').fill(code === '000000' ? '000001' : '000000');
    await page.getByLabel('New password').fill(PASSWORD);
    await press(page, 'Set new password');
    const problem = page.getByText('or this e-mail belongs to another account');
    await problem.waitFor();
    await page.getByLabel('Code from the e-mail').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await problem.waitFor({ state: 'detached' });
    await press(page, 'Set new password');
    await page.getByText('This is the password you have now.').waitFor();
    await page.getByLabel('New password').fill('a better password');
    await press(page, 'Set new password');
    await page.getByText(`The password of ${account} is set, and you are signed in.`).waitFor();
  });

  it.each([
    ['names the forum accounts that can still sign in', false],
    ['removes linked forum accounts on request', true],
  ])('%s', async (_, isRemoving) => {
    const email = newMailbox();
    const account = await site.createAccount(email);
    await site.database.insert('player_connect_threeparty', {
      player_id: (await site.player(account)).id,
      provider: 'forum',
      connect_id: account,
    });
    const page = await open('/signin?mode=reset');
    await page.getByLabel('Account').fill(account);
    await page.getByLabel('Code from the e-mail').fill(await requestCode(site, page, email));
    await page.getByLabel('New password').fill('a better password');
    if (isRemoving) await page.getByLabel('Also remove linked').check();
    await press(page, 'Set new password');
    const done = page.getByText(`The password of ${account} is set`);
    expect((await done.textContent())!.includes(`forum ${account}`)).toBe(!isRemoving);
    await page.waitForURL(site.url + (isRemoving ? '/' : '/account'));
  });
});
