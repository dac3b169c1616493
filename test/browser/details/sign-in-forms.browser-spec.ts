import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newMailbox, PASSWORD } from '../../support/accounts.js';
import { Client } from '../../support/api/client.js';
import { changeConfig, expectAccessibleLayout } from '../../support/browser/chromium.js';
import { press, requestCode, signIn } from '../../support/browser/player-actions.js';
import { WebTestbed } from '../../support/browser/web-testbed.js';
import { until } from '../../support/until.js';

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
  it('suggests the newest open realm and rejects a closed one', async () => {
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

  it('moves the focus to the code field once the code is sent', async () => {
    const page = await open('/signin?mode=register');
    await requestCode(site, page, newMailbox());
    await page.locator('[name=code]:focus').waitFor();
    await page.getByRole('button', { name: RUNNING_COUNTDOWN }).waitFor();
  });

  it('sends a code to a corrected e-mail address immediately, and to the same address only after a wait', async () => {
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

  it('describes codes with the length and lifetime that the service reports', async () => {
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

  it('marks each invalid field until it is edited, and moves the focus to the first', async () => {
    const page = await open('/signin?mode=register');
    const invalid = (name: string) => page.locator(`[name=${name}][aria-invalid=true]`);
    await press(page, 'Create account');
    await page.locator('[name=account][aria-invalid=true]:focus').waitFor();
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('legend123');
    await page.getByText('8 to 64 characters · Weak: easy to guess').waitFor();
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

describe('The code form', () => {
  it.each(['register', 'reset'])(
    'solves the challenge in %s mode without involving the player',
    async (mode) => {
      await site.changeSettings({ challenge: { mode: 'always' } });
      const page = await open(`/signin?mode=${mode}`);
      const answers: string[] = [];
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (/challenge|send_code/.test(pathname)) answers.push(`${response.status()} ${pathname}`);
      });
      await requestCode(site, page, newMailbox());
      expect(answers).toEqual(['422 /api/send_code', '200 /api/challenge', '200 /api/send_code']);
      await expectAccessibleLayout(page);
      await site.changeSettings({});
    },
  );

  it('says at the field that the mail domain is not accepted', async () => {
    await site.changeSettings({ registration: { mail_domains_denied: ['throwaway'] } });
    const page = await open('/signin?mode=register');
    await page.getByLabel('E-mail', { exact: true }).fill('hero@mailinator.com');
    await press(page, 'Send code');
    await page.getByText('This address is not accepted here.').waitFor();
    await page.locator('[name=email][aria-invalid=true]:focus').waitFor();
    await site.changeSettings({});
  });
});

describe('A new password', () => {
  it('is checked while it is typed, and rejected by the service if it is common', async () => {
    await site.changeSettings({ password: { min_length: 9 } });
    const page = await open('/signin?mode=register');
    await page.getByLabel('Account').fill('Dragon_Rider');
    const email = newMailbox();
    const code = await requestCode(site, page, email);
    await page.getByLabel('Code from the e-mail').fill(code);
    const password = page.getByLabel('Password', { exact: true });
    for (const [typed, reason] of [
      ['my dragon_rider', 'Leave out your account name.'],
      [`the ${email.split('@')[0]}`, 'Leave out the name in your e-mail address.'],
      ['aaaaaaaaaaaa', 'Do not repeat a single character.'],
      ['moonlit94tea', 'Fair: longer is better'],
    ]) {
      await password.fill(typed!);
      await page.getByText(`9 to 64 characters · ${reason}`, { exact: true }).waitFor();
    }
    await password.fill('q1w2e3r4');
    await press(page, 'Create account');
    await page.getByText('Use 9 to 64 characters.', { exact: true }).waitFor();
    await password.fill('q1w2e3r4t5');
    await press(page, 'Create account');
    await page.getByText('Many people use this password').waitFor();
    await page.locator('[name=password][aria-invalid=true]:focus').waitFor();
    // The code is still valid.
    await password.fill('moonlit94tea');
    await press(page, 'Create account');
    await page.getByText('Welcome, Dragon_Rider').waitFor();
    await site.changeSettings({});
  });
});

describe('The sign-in form', () => {
  it('accepts the e-mail address instead of the account name', async () => {
    const email = newMailbox();
    const account = await site.createAccount(email);
    const page = await open('/signin');
    await signIn(page, email);
    await page.getByText(`Welcome, ${account}`).waitFor();
  });

  it('removes an error as soon as a field is edited', async () => {
    const page = await open('/signin');
    await signIn(page, await site.createAccount(), 'wrong password');
    const refusal = page.getByText('Wrong account or password.');
    await refusal.waitFor();
    await page.getByLabel('Password', { exact: true }).press('a');
    await refusal.waitFor({ state: 'detached' });
  });

  it('counts down for one account after too many wrong passwords, and offers a password reset', async () => {
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

  it('links to the password reset beside the password field', async () => {
    const page = await open('/signin?return_to=/withdraw');
    const link = page.getByRole('link', { name: 'Forgot your password?' });
    // With aria-current, screen readers would announce the link as the current page.
    expect(await link.getAttribute('aria-current')).toBeNull();
    await link.click();
    await page.getByRole('button', { name: 'Set new password' }).waitFor();
    expect(new URL(page.url()).search).toBe('?return_to=/withdraw&mode=reset');
  });
});

describe('The password reset form', () => {
  it('keeps typed values and the countdown while other forms are opened', async () => {
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

  it('starts with the account or the e-mail address typed at the sign-in', async () => {
    const page = await open('/signin');
    const reset = async (typed: string) => {
      await page.getByLabel('Account or e-mail').fill(typed);
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByRole('button', { name: 'Set new password' }).waitFor();
    };
    const filled = async () => [
      await page.getByLabel('Account').inputValue(),
      await page.getByLabel('E-mail', { exact: true }).inputValue(),
    ];
    await reset('dragon');
    expect(await filled()).toEqual(['dragon', '']);
    await page.locator('[name=email]:focus').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await reset('tiger');
    expect(await filled()).toEqual(['tiger', '']);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await reset('tiger@example.com');
    expect(await filled()).toEqual(['tiger', 'tiger@example.com']);
  });

  it('accepts the correct code after a wrong code, keeps the realm, and says when withdrawals resume', async () => {
    const email = newMailbox();
    const account = await site.createAccount(email);
    const chosen =
      "UPDATE player SET server_id = (SELECT id FROM server WHERE name = 'Dragon Valley')";
    await site.database.query(`${chosen} WHERE account = ?`, [account]);
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
    await page.getByText('Your password was reset, your e-mail changed').waitFor();
    await page.getByText(/^You can withdraw again from .+\.$/).waitFor();
    await page.getByText('Your first realm').waitFor();
    expect(await page.evaluate("sessionStorage.getItem('CQ-SERVER')")).toMatch(/^\d+$/);
  });

  it('contains the account after a mailed link, which works only once, has undone a change of the e-mail address', async () => {
    const [email, other] = [newMailbox(), newMailbox()];
    const account = await site.createAccount(email);
    const client = new Client(site.url);
    const { token } = (await client.post('/api/login', { account, password: PASSWORD })).body.data;
    await client.post('/api/send_code', { email: other });
    const change = { email: other, code: await site.mail.codeFor(other), password: PASSWORD };
    expect((await client.post('/api/account/email', change, { token })).status).toBe(200);
    let link = '';
    await until(async () => {
      const mails = await Promise.all(
        site.mail.mailsTo(email).map(({ raw }) => PostalMime.parse(raw)),
      );
      const texts = mails.map(({ text }) => text ?? '').join('\n');
      link = /http\S+#undo=\S+/.exec(texts)?.[0] ?? '';
      return link !== '';
    });

    await site.changeSettings({ support_url: 'https://game.example/support' });
    const page = await site.chromium.open(link);
    await press(page, 'Restore the old address');
    await page.getByText('The old address is back. Now set a new password.').waitFor();
    expect(await page.getByLabel('Account').inputValue()).toBe(account);
    const again = await site.chromium.open(link);
    await press(again, 'Restore the old address');
    const refusal = again.getByRole('alert');
    await refusal.getByText('This link has already been used or is older than 72 hours.').waitFor();
    await refusal.locator('a[href="https://game.example/support"]').waitFor();
    await expectAccessibleLayout(again);
    await site.changeSettings({});
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
      name: 'Aria',
    });
    const page = await open('/signin?mode=reset');
    await page.getByLabel('Account').fill(account);
    await page.getByLabel('Code from the e-mail').fill(await requestCode(site, page, email));
    await page.getByLabel('New password').fill('a better password');
    if (isRemoving) await page.getByLabel('Also remove linked').check();
    await press(page, 'Set new password');
    const done = page.getByText(`The password of ${account} is set`);
    expect((await done.textContent())!.includes('Forum: Aria')).toBe(!isRemoving);
    await page.waitForURL(site.url + (isRemoving ? '/' : '/account'));
  });
});
