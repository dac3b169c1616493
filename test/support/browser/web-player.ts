import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { PASSWORD } from '../api/factories.js';
import type { WebTestbed } from './web-testbed.js';

/** What a player does again and again. */
export async function signIn(page: Page, account: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Account').fill(account);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Enter the gate' }).click();
}

/** Has a code sent, and gives it back once the page says so: the mail may come first, and the page then moves its buttons. */
export async function requestCode(stage: WebTestbed, page: Page, email: string): Promise<string> {
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByText(`A code is on its way to ${email}.`).waitFor();
  return stage.mail.codeFor(email);
}

export async function openSignedIn(
  stage: WebTestbed,
  path: string,
): Promise<{ page: Page; account: string }> {
  const account = await stage.createAccount();
  const page = await stage.chromium.open(stage.url + path);
  await signIn(page, account);
  // The header knows of the session before the page has changed.
  await page.waitForURL(stage.url + path);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return { page, account };
}

export function heading(page: Page, name: string) {
  return page.getByRole('heading', { level: 1, name });
}

/** The token is in one place, under its one name, and in no other that the page can reach. */
export async function expectTokenOnlyInSessionStorage(page: Page): Promise<void> {
  const stores = (await page.evaluate(
    '({ session: { ...sessionStorage }, local: { ...localStorage }, cookies: document.cookie, address: location.href })',
  )) as { session: Record<string, string>; local: object; cookies: string; address: string };
  const { 'CQ-TOKEN': token, ...others } = stores.session;
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  const elsewhere = JSON.stringify({ ...stores, session: others });
  expect(elsewhere).not.toContain(token);
  expect(stores.cookies).toBe('');
}
