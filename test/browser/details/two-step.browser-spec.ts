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
  signIn,
} from '../../support/browser/player-actions.js';
import { addVirtualDevice, codeOf, setUpApp } from '../../support/browser/two-step-actions.js';
import type { WebTestbed } from '../../support/browser/web-testbed.js';
import { WithdrawalTestbed } from '../../support/browser/withdrawal-testbed.js';

const NEW_PASSWORD = 'a better password';
let bed: WithdrawalTestbed;
let site: WebTestbed;

beforeAll(async () => {
  bed = await WithdrawalTestbed.start('localhost');
  ({ site } = bed);
});
afterEach(() => site.chromium.closeAndExpectNoProblems());
afterAll(() => bed.stop());

/** The next sign-in leads back to the account page. */
async function signOut(page: Page): Promise<void> {
  await press(page, 'Sign out');
  await page.getByText('You’re signed out.').waitFor();
}

/** A new account with an app, signed out. */
async function withApp(email: string | null = null) {
  const { page, account } = await openSignedIn(site, '/account', await site.createAccount(email));
  const app = await setUpApp(site, page);
  await press(page, 'I’ve saved them');
  await signOut(page);
  return { page, account, ...app };
}

const secondStep = (page: Page) => page.getByRole('heading', { name: 'One more step' }).waitFor();

describe('Two-step sign-in', () => {
  it('protects sign-in and treasury with an app and a passkey', async () => {
    const page = await bed.openAsNewPlayer();
    await addVirtualDevice(page);
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await press(page, 'Authenticator app: Set up');
    await page.getByText('old game clients').waitFor();
    await expectAccessibleLayout(page);
    await press(page, 'Authenticator app: Cancel');
    const { secret, recoveryCodes } = await setUpApp(site, page);
    expect(new Set(recoveryCodes).size).toBe(10);
    await expectAccessibleLayout(page);
    // On paper: one page.
    expect(String(await page.pdf({ format: 'A4' }))).toMatch(/\/Count 1\b/);
    await press(page, 'I’ve saved them');
    await page.getByText('10 left').waitFor();

    await signOut(page);
    await signIn(page, bed.account);
    await secondStep(page);
    await page.locator('[name=code]:focus').waitFor();
    await page.getByLabel('Code from your app').fill('000000');
    await page.keyboard.press('Enter');
    await page.getByText('This code is wrong').waitFor();
    await expectAccessibleLayout(page);
    await page.getByLabel('Code from your app').fill(await codeOf(site, secret));
    await page.keyboard.press('Enter');
    await heading(page, 'Your account').waitFor();

    await press(page, 'Passkeys: Add');
    await page.getByLabel('Name of this passkey').fill('My laptop');
    await press(page, 'Create passkey');
    await page.getByText('The passkey is added.').waitFor();
    await page.getByText('not used yet').waitFor();
    await expectAccessibleLayout(page);

    await signOut(page);
    await press(page, 'Sign in with a passkey');
    await heading(page, 'Your account').waitFor();
    await page.getByText(bed.account).first().waitFor();

    await page.getByRole('link', { name: 'Treasury' }).click();
    await site.ageConfirmations();
    await bed.withdraw(page, '400');
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await dialog.getByLabel('Code from your app').waitFor();
    await expectAccessibleLayout(page);
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText(`400 yuanbao were withdrawn from ${bed.roleName}`).waitFor();
    expect(await bed.balance()).toBe(600);
    expect(new Set(bed.keys).size).toBe(1);
    expect(bed.keys).toHaveLength(2);
  });

  it('confirms a withdrawal with a code', async () => {
    const page = await bed.openAsNewPlayer();
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    const { secret } = await setUpApp(site, page);
    await page.getByRole('link', { name: 'Treasury' }).click();
    await bed.withdraw(page, '300');
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await dialog.getByLabel('Code from your app').fill(await codeOf(site, secret));
    await page.keyboard.press('Enter');
    await page.getByText(`300 yuanbao were withdrawn from ${bed.roleName}`).waitFor();
    expect(new Set(bed.keys).size).toBe(1);
  });

  it('opens with a recovery code, and its factors can be removed after that', async () => {
    const { page, account, recoveryCodes } = await withApp();
    await signIn(page, account);
    await press(page, 'Use a recovery code');
    await page.getByLabel('Recovery code').fill(recoveryCodes[0]!.toLowerCase());
    await page.keyboard.press('Enter');
    await heading(page, 'Your account').waitFor();
    await page.getByText('9 left').waitFor();
    await press(page, 'Recovery codes: New codes');
    await press(page, 'Create new codes');
    await page.getByText('10 left').waitFor();
    expect(await page.locator('li code').count()).toBe(10);
    await press(page, 'I’ve saved them');
    await press(page, 'Authenticator app: Remove');
    await press(page, 'Remove the app');
    await page.getByText('The authenticator app is removed.').waitFor();
    await signOut(page);
    await signIn(page, account);
    await heading(page, 'Your account').waitFor();
  });

  it('keeps what was typed when the second step is left or takes too long', async () => {
    const { page, account } = await withApp();
    await page.clock.install();
    await signIn(page, account);
    await secondStep(page);
    await press(page, 'Back');
    await page.getByText('This account needs a second step to sign in.').waitFor();
    expect(await page.getByLabel('Account').inputValue()).toBe(account);
    await press(page, 'Enter the gate');
    await secondStep(page);
    await page.clock.fastForward(5 * 60_000);
    await page.getByText('This took too long. Please sign in again.').waitFor();
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(PASSWORD);
  });

  it('is asked for after a reset, which keeps the new password if it is left', async () => {
    const email = newMailbox();
    const { page, account, secret } = await withApp(email);
    await page.getByRole('link', { name: 'Reset password' }).click();
    await page.getByLabel('Account').fill(account);
    await page.getByLabel('Code from the e-mail').fill(await requestCode(site, page, email));
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await press(page, 'Set new password');
    await secondStep(page);
    await press(page, 'Back');
    await page.getByText('Your new password is set. Sign in with it.').waitFor();
    await signIn(page, account, NEW_PASSWORD);
    await page.getByLabel('Code from your app').fill(await codeOf(site, secret));
    await page.keyboard.press('Enter');
    await heading(page, 'Your account').waitFor();
  });

  it('is asked for after a sign-in through the forum', async () => {
    site.forum.person = unique('person');
    const page = await site.chromium.open(`${site.url}/account`);
    await continueWithForum(page);
    await press(page, 'Create a new account');
    const { secret } = await setUpApp(site, page);
    await press(page, 'I’ve saved them');
    await signOut(page);
    await continueWithForum(page);
    await press(page, 'Go on with the forum');
    await secondStep(page);
    await page.getByLabel('Code from your app').fill(await codeOf(site, secret));
    await page.keyboard.press('Enter');
    await heading(page, 'Your account').waitFor();
  });

  it('is accessible on a phone, in Chinese', async () => {
    const { account } = await withApp();
    const page = await site.chromium.open(`${site.url}/signin`, { language: 'zh-CN', width: 320 });
    await page.locator('[name=account]').fill(account);
    await page.locator('[name=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '两步验证' }).waitFor();
    await expectAccessibleLayout(page);
  });
});
