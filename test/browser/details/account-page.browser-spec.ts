import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newMailbox, PASSWORD, unique } from '../../support/accounts.js';
import { expectAccessibleLayout } from '../../support/browser/chromium.js';
import {
  continueWithForum,
  heading,
  openSignedIn,
  press,
  requestCode,
} from '../../support/browser/player-actions.js';
import { WebTestbed } from '../../support/browser/web-testbed.js';
import { until } from '../../support/until.js';

const NEW_PASSWORD = 'a better password';
let site: WebTestbed;

beforeAll(async () => {
  site = await WebTestbed.start();
  await site.addServer({ name: 'Dragon Valley' });
});
afterEach(() => site.chromium.closeAndExpectNoProblems());
afterAll(() => site.stop());

async function saveMailbox(page: Page, email: string, password?: string): Promise<void> {
  await press(page, 'Mailbox: Add');
  await page.getByLabel('Code from the e-mail').fill(await requestCode(site, page, email));
  if (password) await page.getByLabel('Current password').fill(password);
  await press(page, 'Save the mailbox');
}

async function confirmWithPassword(page: Page, password = PASSWORD): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

describe('The account page', () => {
  it('refuses a wrong current password and an unchanged new one', async () => {
    const { page } = await openSignedIn(site, '/account');
    await press(page, 'Password: Change');
    await page.locator('[name=old_password]:focus').waitFor();
    await page.getByLabel('Current password').fill('wrong password');
    await page.getByLabel('New password').fill(PASSWORD);
    await press(page, 'Save the password');
    await page.getByText('This is not your current password.').waitFor();
    await expectAccessibleLayout(page);
    await page.getByLabel('Current password').fill(PASSWORD);
    await press(page, 'Save the password');
    await page.getByText('This is the password you have now.').waitFor();
  });

  it('asks for the password before it changes the mailbox', async () => {
    const { page, account } = await openSignedIn(site, '/account');
    const email = newMailbox();
    await saveMailbox(page, email, 'wrong password');
    await page.getByText('This is not your current password.').waitFor();
    await expectAccessibleLayout(page);
    // The form still has the code.
    await page.getByLabel('Current password').fill(PASSWORD);
    await press(page, 'Save the mailbox');
    await page.getByText(`Your mailbox is now ${email}.`).waitFor();
    expect((await site.player(account)).email).toBe(email);
  });

  it('signs out one other device, and then all others', async () => {
    const { page, account } = await openSignedIn(site, '/account');
    const oldest = (await openSignedIn(site, '/', account)).page;
    await openSignedIn(site, '/', account);
    const newest = (await openSignedIn(site, '/', account)).page;
    await page.reload();
    const signOutButtons = page.getByRole('button', {
      name: 'Sign out: Chrome on Linux',
      exact: true,
    });
    await until(async () => (await signOutButtons.count()) === 3);
    expect(await page.getByText('This device').count()).toBe(1);
    expect(await page.getByText(/Signed in .*(GMT|UTC)/).count()).toBe(0);
    await expectAccessibleLayout(page);
    await signOutButtons.first().click();
    await page.getByText('Signed out: 1').waitFor();
    await newest.reload();
    await newest.getByText('Your session has ended.').waitFor();
    await oldest.reload();
    await heading(oldest, 'Choose your realm').waitFor();

    await press(page, 'Sign out all other devices');
    await page.getByText('You’re not signed in anywhere else.').waitFor();
    await oldest.reload();
    await oldest.getByText('Your session has ended.').waitFor();
    await page.reload();
    await heading(page, 'Your account').waitFor();
  });

  it('links a forum account and unlinks it', async () => {
    site.forum.person = unique('person');
    const { page, account } = await openSignedIn(site, '/account');
    await site.ageConfirmations();
    await press(page, 'Link forum account');
    await confirmWithPassword(page);
    await page.getByText(`Your forum account is now linked to ${account}.`).waitFor();
    await page.waitForURL(`${site.url}/account`);
    await press(page, 'Forum: Unlink');
    await page.getByText('Account unlinked.').waitFor();
    await page.getByRole('button', { name: 'Link forum account' }).waitFor();
  });

  it('lets the owner of a forum account add a mailbox and a password', async () => {
    site.forum.person = unique('person');
    const email = newMailbox();
    const page = await site.chromium.open(`${site.url}/account`);
    await continueWithForum(page);
    await press(page, 'Create a new account');
    await page.getByText('Complete your account').waitFor();
    await page.getByText('the forum is the only way into it').waitFor();
    expect(await page.getByRole('button', { name: 'Forum: Unlink' }).count()).toBe(0);
    await expectAccessibleLayout(page);
    await saveMailbox(page, email);
    await page.getByText(`Your mailbox is now ${email}.`).waitFor();

    const addPassword = async () => {
      await press(page, 'Password: Add');
      await page.getByLabel('New password').fill(NEW_PASSWORD);
      await press(page, 'Save the password');
    };
    // Without a password, only the forum can confirm who it is.
    await site.ageConfirmations();
    await addPassword();
    await press(page, 'Confirm through the forum');
    await press(page, 'Go on with the forum');
    await heading(page, 'Your account').waitFor();
    await addPassword();
    await page.getByText('The new password is set.').waitFor();
    await page.getByRole('button', { name: 'Forum: Unlink' }).waitFor();
  });
});
