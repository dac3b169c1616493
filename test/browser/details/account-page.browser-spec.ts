import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newMailbox, PASSWORD, unique } from '../../support/accounts.js';
import { Client } from '../../support/api/client.js';
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
  await press(page, 'E-mail: Add');
  await page.getByLabel('Code from the e-mail').fill(await requestCode(site, page, email));
  if (password) await page.getByLabel('Current password').fill(password);
  await press(page, 'Save the e-mail');
}

async function confirmWithPassword(page: Page, password = PASSWORD): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

describe('The account page', () => {
  it('rejects a wrong current password and an unchanged new one', async () => {
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

  it('requires the password before it changes the e-mail address', async () => {
    const { page, account } = await openSignedIn(site, '/account');
    const email = newMailbox();
    await saveMailbox(page, email, 'wrong password');
    await page.getByText('This is not your current password.').waitFor();
    await expectAccessibleLayout(page);
    // The form still contains the code.
    await page.getByLabel('Current password').fill(PASSWORD);
    await press(page, 'Save the e-mail');
    await page.getByText(`Your e-mail address is now ${email}.`).waitFor();
    expect((await site.player(account)).email).toBe(email);
  });

  it('signs out one other device, and then all other devices', async () => {
    const { page, account } = await openSignedIn(site, '/account');
    const oldest = (await openSignedIn(site, '/', account)).page;
    await openSignedIn(site, '/', account);
    const newest = (await openSignedIn(site, '/', account)).page;
    await page.reload();
    const signOutButtons = page.getByRole('button', {
      name: 'Sign out: Chrome on Linux',
      exact: true,
    });
    // For the player, all of these sign-ins belong to one browser.
    await page.getByText('Other sign-ins with this browser: 3').click();
    await until(async () => (await signOutButtons.count()) === 3);
    expect(await page.getByText('This device').count()).toBe(1);
    expect(await page.getByText(/Signed in .*(GMT|UTC)/).count()).toBe(0);
    await expectAccessibleLayout(page);
    await signOutButtons.first().click();
    await page.getByText('Devices signed out: 1').waitFor();
    await newest.reload();
    await newest.getByText('Your session has ended.').waitFor();
    await oldest.reload();
    await heading(oldest, 'Choose your realm').waitFor();
    // The heading appears before the realms. If the request for them were refused, the session would end too early.
    await oldest.waitForLoadState('networkidle');

    await press(page, 'Sign out all other devices');
    await page.getByText('You’re not signed in anywhere else.').waitFor();
    await oldest.reload();
    await oldest.getByText('Your session has ended.').waitFor();
    await page.reload();
    await heading(page, 'Your account').waitFor();
  });

  it('leads to the history of sign-ins, which shows time, address, device and outcome', async () => {
    const account = await site.createAccount();
    const client = new Client(site.url);
    const wrong = { account, password: 'wrong password' };
    expect((await client.post('/api/login', wrong, { from: '192.0.2.77' })).status).toBe(401);
    const { page } = await openSignedIn(site, '/account', account);
    const id = (await site.player(account)).id as number;
    const stored = 'SELECT id FROM login_event WHERE player_id = ?';
    await until(async () => (await site.database.query(stored, [id])).length === 2);
    await page.getByRole('link', { name: 'Sign-in history' }).click();
    await heading(page, 'Sign-in history').waitFor();
    const tab = page.getByRole('link', { name: 'Account', exact: true });
    expect(await tab.getAttribute('aria-current')).toBe('page');
    const [newest, oldest] = [
      page.getByRole('listitem').first(),
      page.getByRole('listitem').last(),
    ];
    await newest.getByText('Signed in', { exact: true }).waitFor();
    const facts = newest.getByText(/^Password · Chrome on Linux · 127\.0\.0\.1$/);
    const oneLine = (await newest.getByText('Signed in', { exact: true }).boundingBox())!.height;
    expect((await facts.boundingBox())!.height).toBeLessThanOrEqual(oneLine);
    await oldest.getByText('Wrong account or password.').waitFor();
    await oldest.getByText(/192\.0\.2\.77$/).waitFor();
    await expectAccessibleLayout(page);
    await page.getByRole('link', { name: 'Back to your account' }).click();
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
    const links = page.getByRole('region', { name: 'Linked accounts' });
    await links.getByText('Forum · Somebody').waitFor();
    expect(await links.textContent()).not.toContain(site.forum.person);
    await press(page, 'Forum: Unlink');
    await page.getByText('Account unlinked.').waitFor();
    await page.getByRole('button', { name: 'Link forum account' }).waitFor();
  });

  it("lets a forum account's owner add an e-mail address and a password", async () => {
    site.forum.person = unique('person');
    const email = newMailbox();
    const page = await site.chromium.open(`${site.url}/account`);
    await continueWithForum(page);
    await press(page, 'Create a new account');
    await page.getByText('Complete your account').waitFor();
    const name = unique('chosen');
    await press(page, 'Name: Rename');
    await page.getByLabel('New name').fill(await site.createAccount());
    await press(page, 'Use this name');
    await page.getByText('This name is taken. Try another one.').waitFor();
    await page.getByLabel('New name').fill(name);
    await press(page, 'Use this name');
    await page.getByText(`Your account is now called ${name}.`).waitFor();
    const choose = page.getByRole('button', { name: 'Name: Rename' });
    await choose.waitFor({ state: 'detached' });
    await page.getByText('the forum is the only way into it').waitFor();
    expect(await page.getByRole('button', { name: 'Forum: Unlink' }).count()).toBe(0);
    await expectAccessibleLayout(page);
    await saveMailbox(page, email);
    await page.getByText(`Your e-mail address is now ${email}.`).waitFor();

    const addPassword = async () => {
      await press(page, 'Password: Add');
      await page.getByLabel('New password').fill(NEW_PASSWORD);
      await press(page, 'Save the password');
    };
    // Without a password, only the forum can confirm the player's identity.
    await site.ageConfirmations();
    await addPassword();
    await press(page, 'Confirm through the forum');
    await press(page, 'Continue with the forum account');
    await heading(page, 'Your account').waitFor();
    await addPassword();
    await page.getByText('The new password is set.').waitFor();
    await page.getByRole('button', { name: 'Forum: Unlink' }).waitFor();
  });
});
