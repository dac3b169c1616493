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
import {
  addVirtualDevice,
  codeOf,
  keepCodes,
  setUpApp,
} from '../../support/browser/two-step-actions.js';
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

/** Signs out; the next sign-in returns to the account page. */
async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByText('You’re signed out.').waitFor();
}

/** Creates an account with an app and signs the player out. */
async function withApp(email: string | null = null) {
  const { page, account } = await openSignedIn(site, '/account', await site.createAccount(email));
  const app = await setUpApp(site, page);
  await keepCodes(page);
  await signOut(page);
  return { page, account, ...app };
}

const secondStep = (page: Page) => page.getByRole('heading', { name: 'One more step' }).waitFor();

describe('Two-step sign-in', () => {
  it('protects sign-in and withdrawals with an app and a passkey', async () => {
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
    // The codes fit on one printed page.
    expect(String(await page.pdf({ format: 'A4' }))).toMatch(/\/Count 1\b/);
    await keepCodes(page);
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
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await dialog.getByLabel('Code from your app').waitFor();
    await expectAccessibleLayout(page);
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText(`400 yuanbao were withdrawn from ${bed.roleName}`).waitFor();
    expect(await bed.balance()).toBe(600);
    expect(new Set(bed.keys).size).toBe(1);
    expect(bed.keys).toHaveLength(2);
  });

  it('adds a passkey right after an app without asking for a code', async () => {
    const { page } = await openSignedIn(site, '/account');
    await addVirtualDevice(page);
    await setUpApp(site, page);
    await keepCodes(page);
    await press(page, 'Passkeys: Add');
    await press(page, 'Create passkey');
    await page.getByText('The passkey is added.').waitFor();
  });

  it('warns a player who leaves before the recovery codes are stored', async () => {
    const { page } = await openSignedIn(site, '/account');
    const { recoveryCodes } = await setUpApp(site, page);
    for (const code of recoveryCodes) expect(code).toMatch(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/);
    const goOn = page.getByRole('button', { name: 'Continue' });
    expect(await goOn.getAttribute('aria-disabled')).toBe('true');
    const asked = page.waitForEvent('dialog');
    const left = page.getByRole('link', { name: 'Treasury' }).click();
    const dialog = await asked;
    expect(dialog.message()).toContain('are shown only once');
    await dialog.dismiss();
    await left;
    expect(await page.locator('li code').count()).toBe(10);
    // Opening another row, and adding another factor, keeps the codes on the page.
    await press(page, 'Passkeys: Add');
    expect(await page.locator('li code').count()).toBe(10);
    await keepCodes(page);
    await page.locator('li code').first().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Treasury' }).click();
    await heading(page, 'Treasury').waitFor();
  });

  it('can be set up on the device that runs the app', async () => {
    const { page } = await openSignedIn(site, '/account');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press(page, 'Authenticator app: Set up');
    await press(page, 'Show the QR code');
    const link = page.getByRole('link', { name: 'Open in the app on this device' });
    const secret = /^otpauth:\/\/totp\/.*secret=(\w+)/.exec((await link.getAttribute('href'))!)![1];
    await press(page, 'Copy the key');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
  });

  it('confirms a withdrawal with a code', async () => {
    const page = await bed.openAsNewPlayer();
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    const { secret } = await setUpApp(site, page);
    await keepCodes(page);
    await page.getByRole('link', { name: 'Treasury' }).click();
    await bed.withdraw(page, '300');
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await dialog.getByLabel('Code from your app').fill(await codeOf(site, secret));
    await page.keyboard.press('Enter');
    await page.getByText(`300 yuanbao were withdrawn from ${bed.roleName}`).waitFor();
    expect(new Set(bed.keys).size).toBe(1);
  });

  it('accepts a recovery code, after which the factors can be removed', async () => {
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
    await keepCodes(page);
    await press(page, 'Authenticator app: Remove');
    const removal = page.getByRole('button', { name: 'Remove the app' });
    expect(await removal.getAttribute('class')).toContain('button--danger');
    await removal.click();
    await page.getByText('The authenticator app is removed.').waitFor();
    await signOut(page);
    await signIn(page, account);
    await heading(page, 'Your account').waitFor();
  });

  it('keeps typed values if the player leaves the second step or takes too long', async () => {
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

  it('is required after a password reset, which keeps the new password if the player leaves', async () => {
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

  it('is required after a sign-in through the forum', async () => {
    site.forum.person = unique('person');
    const page = await site.chromium.open(`${site.url}/account`);
    await continueWithForum(page);
    await press(page, 'Create a new account');
    const { secret } = await setUpApp(site, page);
    await keepCodes(page);
    await signOut(page);
    await continueWithForum(page);
    await press(page, 'Continue with the forum account');
    await secondStep(page);
    await page.getByLabel('Code from your app').fill(await codeOf(site, secret));
    await page.keyboard.press('Enter');
    await heading(page, 'Your account').waitFor();
  });

  it('is skipped on a trusted device until the player ends its session', async () => {
    const { page, account, secret } = await withApp();
    await signIn(page, account);
    await secondStep(page);
    const box = page.getByRole('checkbox', { name: 'Don’t ask on this device for 30 days' });
    await box.check();
    await expectAccessibleLayout(page);
    await page.getByLabel('Code from your app').fill(await codeOf(site, secret));
    await page.keyboard.press('Enter');
    await heading(page, 'Your account').waitFor();
    await page.getByText('Signs in without the second step until').waitFor();
    await expectAccessibleLayout(page);

    // The token is lost with its tab.
    const again = await page.context().newPage();
    await page.close();
    await again.goto(`${site.url}/account`);
    await signIn(again, account);
    await heading(again, 'Your account').waitFor();
    const trusted = again.getByRole('listitem').filter({ hasText: 'without the second step' });
    await trusted.last().getByRole('button', { name: 'Sign out' }).click();
    await again.getByText('Signed out: 1').waitFor();
    await signOut(again);
    await signIn(again, account);
    await secondStep(again);
  });

  it('does not offer to trust a device if the settings do not allow it', async () => {
    await site.changeSettings({ session: { trust_days: 0 } });
    const { page, account } = await withApp();
    await signIn(page, account);
    await secondStep(page);
    await page.getByLabel('Code from your app').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await site.changeSettings({});
  });

  it('is accessible on a phone and in Chinese', async () => {
    const { account } = await withApp();
    const page = await site.chromium.open(`${site.url}/signin`, { language: 'zh-CN', width: 320 });
    await page.locator('[name=account]').fill(account);
    await page.locator('[name=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '两步验证' }).waitFor();
    await page.getByLabel('30 天内在此设备登录免两步验证').waitFor();
    await expectAccessibleLayout(page);
  });
});
