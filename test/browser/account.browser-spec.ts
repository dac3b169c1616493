import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleLayout } from '../support/browser/chromium.js';
import { PASSWORD, unique } from '../support/api/factories.js';
import { until } from '../support/until.js';
import {
  requestCode,
  expectTokenOnlyInSessionStorage,
  heading,
  openSignedIn,
  signIn,
} from '../support/browser/web-player.js';
import { WebTestbed } from '../support/browser/web-testbed.js';

let stage: WebTestbed;
const NEW_PASSWORD = 'a better password';

beforeAll(async () => {
  stage = await WebTestbed.start();
  await stage.addServer({ name: 'Dragon Valley' });
});
afterEach(() => stage.chromium.expectNoComplaints());
afterAll(() => stage.stop());

const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
const player = async (account: string) =>
  (await stage.sql('SELECT * FROM player WHERE account = ?', [account]))[0]!;
/** As if the sign-in had been a while ago: what is changed now needs the password once more. */
const letTimePass = () => stage.sql("UPDATE session SET confirmed_at = '2020-01-01'");

async function fillMailbox(page: Page, email: string): Promise<void> {
  await page.getByLabel('Code from the e-mail').fill(await requestCode(stage, page, email));
  await press(page, 'Save the mailbox');
}

async function throughTheForum(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'The forum knows you' }).waitFor();
}

describe('the account page', () => {
  it('is guarded, and tells who one is', async () => {
    const email = `${unique('mail')}@example.com`;
    const account = await stage.createAccount(email);
    const page = await stage.chromium.open(`${stage.url}/account`);
    await page.waitForURL('**/signin?return_to=/account');
    await signIn(page, account);
    await heading(page, 'Your account').waitFor();
    await page.getByText(email).waitFor();
    await page.getByText('This device').waitFor();
    await page.getByText('You are signed in nowhere else.').waitFor();
    await expectAccessibleLayout(page);
    await page.getByRole('main').getByRole('button', { name: '中文' }).click();
    await heading(page, '我的账号').waitFor();
    await expectAccessibleLayout(page);
  });

  it('changes the password: wrong, the same, a new one; other devices are out', async () => {
    const { page, account } = await openSignedIn(stage, '/account');
    const elsewhere = await stage.chromium.open(`${stage.url}/`);
    await signIn(elsewhere, account);
    await heading(elsewhere, 'Choose your realm').waitFor();

    await press(page, 'Password: Change');
    await page.locator('[name=old_password]:focus').waitFor();
    await press(page, 'Save the password');
    await expectAccessibleLayout(page);
    await page.getByLabel('Present password').fill('wrong password');
    await page.getByLabel('New password').fill(PASSWORD);
    await press(page, 'Save the password');
    await page.getByText('This is not your present password.').waitFor();
    await page.getByLabel('Present password').fill(PASSWORD);
    await press(page, 'Save the password');
    await page.getByText('This is the password you have now.').waitFor();
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await press(page, 'Save the password');
    await page.getByText('The new password is set.').waitFor();
    await expectTokenOnlyInSessionStorage(page);
    await page.reload();
    await heading(page, 'Your account').waitFor();

    await elsewhere.reload();
    await elsewhere.getByText('Your session has ended.').waitFor();
    await signIn(elsewhere, account, NEW_PASSWORD);
    await heading(elsewhere, 'Choose your realm').waitFor();
  });

  it('changes the mailbox, with the password where the sign-in is a while ago', async () => {
    const { page, account } = await openSignedIn(stage, '/account');
    const email = `${unique('mail')}@example.com`;
    await letTimePass();
    await press(page, 'Mailbox: Add');
    await fillMailbox(page, email);
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await dialog.waitFor();
    await expectAccessibleLayout(page);
    await dialog.getByLabel('Password', { exact: true }).fill('wrong password');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('Account and password do not match.').waitFor();
    // Nothing of the form is lost by a change of mind.
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('For this we need to know once more that it is you.').waitFor();
    await press(page, 'Save the mailbox');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText(`Your mailbox is now ${email}.`).waitFor();
    expect((await player(account)).email).toBe(email);
  });

  it('ends another session, and all others', async () => {
    const { page, account } = await openSignedIn(stage, '/account');
    const others = [];
    for (let n = 0; n < 3; n++) {
      const other = await stage.chromium.open(`${stage.url}/`);
      await signIn(other, account);
      await heading(other, 'Choose your realm').waitFor();
      others.push(other);
    }
    await page.reload();
    const ends = page.getByRole('button', { name: /^Sign out: Chrome/ });
    await until(async () => (await ends.count()) === 3);
    expect(await page.getByText('This device').count()).toBe(1);
    await expectAccessibleLayout(page);
    // The newest comes first.
    await ends.first().click();
    await page.getByText('Signed out: 1').waitFor();
    await others[2]!.reload();
    await others[2]!.getByText('Your session has ended.').waitFor();
    await others[0]!.reload();
    await heading(others[0]!, 'Choose your realm').waitFor();

    await press(page, 'Sign out all other devices');
    await page.getByText('You are signed in nowhere else.').waitFor();
    for (const other of others.slice(0, 2)) {
      await other.reload();
      await other.getByText('Your session has ended.').waitFor();
    }
    await page.reload();
    await heading(page, 'Your account').waitFor();
  });

  it('links a forum account, and unlinks it', async () => {
    stage.forum.person = unique('person');
    const { page, account } = await openSignedIn(stage, '/account');
    await letTimePass();
    await press(page, 'Forum: Link');
    await throughTheForum(page);
    await press(page, `Link to ${account}`);
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText(`Your forum account is now linked to ${account}.`).waitFor();
    await page.waitForURL(`${stage.url}/account`);
    await expectAccessibleLayout(page);
    await press(page, 'Forum: Unlink');
    await page.getByText('The link is gone.').waitFor();
    await page.getByRole('button', { name: 'Forum: Link' }).waitFor();
  });

  it('makes an account from the forum one’s own', async () => {
    stage.forum.person = unique('person');
    const email = `${unique('mail')}@example.com`;
    const page = await stage.chromium.open(`${stage.url}/account`);
    await press(page, 'Continue with the forum');
    await throughTheForum(page);
    await page.getByLabel('Stay signed in').check();
    await expectAccessibleLayout(page);
    await press(page, 'Create a new account');
    await page.getByText('Make this account your own').waitFor();
    await page.getByText('the forum is the only way into it').waitFor();
    expect(await page.getByRole('button', { name: 'Forum: Unlink' }).count()).toBe(0);
    await expectAccessibleLayout(page);
    const account = (await page.locator('.name').first().textContent())!;

    await press(page, 'Mailbox: Add');
    await fillMailbox(page, email);
    await page.getByText(`Your mailbox is now ${email}.`).waitFor();
    // Without a password, only the forum can tell who it is.
    await letTimePass();
    await press(page, 'Password: Add');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await press(page, 'Save the password');
    await press(page, 'Confirm through the forum');
    await throughTheForum(page);
    await press(page, 'Go on with the forum');
    await heading(page, 'Your account').waitFor();
    await press(page, 'Password: Add');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await press(page, 'Save the password');
    await page.getByText('The new password is set.').waitFor();
    await page.getByRole('button', { name: 'Forum: Unlink' }).waitFor();

    const again = await stage.chromium.open(`${stage.url}/signin`, {
      language: 'zh-CN',
      width: 360,
    });
    await again.locator('[name=account]').fill(email);
    await again.locator('[name=password]').fill(NEW_PASSWORD);
    await again.keyboard.press('Enter');
    await again.getByText(account).first().waitFor();
    await again.goto(`${stage.url}/account`);
    await heading(again, '我的账号').waitFor();
    await again.getByText('当前设备').waitFor();
    await expectAccessibleLayout(again);
  });
});
