import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { PASSWORD } from '../accounts.js';
import type { WebTestbed } from './web-testbed.js';

export function heading(page: Page, name: string | RegExp) {
  return page.getByRole('heading', { level: 1, name });
}

export async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).click();
}

export async function signIn(page: Page, account: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Account').fill(account);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Enter the gate');
}

/** Opens a page in a new window and signs in with a new account. */
export async function openSignedIn(
  site: WebTestbed,
  path: string,
  account?: string,
): Promise<{ page: Page; account: string }> {
  const name = account ?? (await site.createAccount());
  const page = await site.chromium.open(site.url + path);
  await signIn(page, name);
  // The header shows the session before the page changes.
  await page.waitForURL(site.url + path);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return { page, account: name };
}

/** Requests a code and waits for the response, because the response moves the page's buttons. */
export async function requestCode(site: WebTestbed, page: Page, email: string): Promise<string> {
  await page.getByLabel(/^(New e-mail|E-mail)$/).fill(email);
  await press(page, 'Send code');
  await page.getByText(`A code is on its way to ${email}.`).waitFor();
  return site.mail.codeFor(email);
}

/** Logs in at the forum and returns to the choices on the sign-in page. */
export async function continueWithForum(page: Page): Promise<void> {
  await press(page, 'Continue with the forum');
  await page.getByRole('heading', { name: 'Continue with your forum account' }).waitFor();
}

export async function expectTokenOnlyInSessionStorage(page: Page): Promise<void> {
  const stores = (await page.evaluate(
    '({ session: { ...sessionStorage }, local: { ...localStorage }, cookies: document.cookie, address: location.href })',
  )) as { session: Record<string, string>; local: object; cookies: string; address: string };
  const { 'CQ-TOKEN': token, ...others } = stores.session;
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(JSON.stringify({ ...stores, session: others })).not.toContain(token);
  expect(stores.cookies).toBe('');
}
