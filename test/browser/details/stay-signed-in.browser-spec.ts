import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleLayout } from '../../support/browser/chromium.js';
import { removeFolder, temporaryFolder } from '../../support/servers/temporary-folder.js';
import { until } from '../../support/until.js';
import {
  expectTokenOnlyInSessionStorage,
  heading,
  openSignedIn,
  signIn,
} from '../../support/browser/player-actions.js';
import { WebTestbed } from '../../support/browser/web-testbed.js';

let site: WebTestbed;

beforeAll(async () => {
  site = await WebTestbed.start();
  await site.addServer({ name: 'Dragon Valley' });
});
afterEach(() => site.chromium.closeAndExpectNoProblems());
afterAll(() => site.stop());

const home = (page: Page) => heading(page, 'Choose your realm').waitFor();
/** Opens a tab without a Ctrl+click, which Playwright sometimes misses. Neither way copies the session storage. */
const tab = (page: Page, path: string) => site.chromium.openTab(page.context(), site.url + path);
const cookieOf = async (page: Page) =>
  (await page.context().cookies(`${site.url}/api`)).find(
    ({ name }) => name === 'gatehouse_session',
  );
const openSessions = async (account: string) =>
  site.database.query(
    `SELECT s.id FROM session s JOIN player p ON p.id = s.player_id
      WHERE p.account = ? AND s.ended_at IS NULL`,
    [account],
  );

async function signInToStay(page: Page, account: string): Promise<void> {
  await page.getByLabel('Stay signed in').check();
  await signIn(page, account);
  await home(page);
}

async function openStaying(): Promise<{ page: Page; account: string }> {
  const account = await site.createAccount();
  const page = await site.chromium.open(`${site.url}/`);
  await signInToStay(page, account);
  return { page, account };
}

describe('A browser that stays signed in', () => {
  it('signs in every new tab, and signs out all tabs at the same time', async () => {
    const { page, account } = await openStaying();
    await expectTokenOnlyInSessionStorage(page);
    const second = await tab(page, '/withdraw');
    await heading(second, 'Treasury').waitFor();
    await expectTokenOnlyInSessionStorage(second);
    const third = await tab(page, '/account');
    await heading(third, 'Your account').waitFor();
    const fourth = await tab(page, '/signin?return_to=/withdraw');
    await heading(fourth, 'Treasury').waitFor();
    expect(await openSessions(account)).toHaveLength(1);

    await second.getByRole('button', { name: 'Sign out' }).click();
    await second.getByText('You’re signed out.').waitFor();
    for (const other of [page, third, fourth]) {
      await other.getByText('You signed out in another tab.').waitFor();
      expect(await other.evaluate("sessionStorage.getItem('CQ-TOKEN')")).toBeNull();
    }
    await expectAccessibleLayout(third);
    await until(async () => (await openSessions(account)).length === 0);
    await until(async () => (await cookieOf(page)) === undefined);
    await page.reload();
    await page.getByRole('button', { name: 'Enter the gate' }).waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  it('is still signed in after a restart', async () => {
    const folder = temporaryFolder('profile');
    const account = await site.createAccount();
    const before = await site.chromium.openProfile(folder, `${site.url}/`);
    await signInToStay(before, account);
    await before.context().close();

    const after = await site.chromium.openProfile(folder, `${site.url}/withdraw`);
    await heading(after, 'Treasury').waitFor();
    await after.getByTitle(`Signed in as ${account}`).waitFor();
    await after.context().close();
    removeFolder(folder);
  });

  it("requests one new token when a tab's token has expired", async () => {
    const { page } = await openStaying();
    let refreshes = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/session/refresh')) refreshes++;
    });
    await page.evaluate("sessionStorage.setItem('CQ-TOKEN-ENDS', String(Date.now()))");
    await page.goto(`${site.url}/withdraw`);
    await heading(page, 'Treasury').waitFor();
    await page.getByText('Nothing has been withdrawn yet.').waitFor();
    expect(refreshes).toBe(1);
    await expectTokenOnlyInSessionStorage(page);
  });

  it('is signed out when an attacker uses a copy of its cookie', async () => {
    const { page, account } = await openStaying();
    const stolen = (await cookieOf(page))!;
    // The owner refreshes twice because the previous cookie still works for tabs that refresh in parallel.
    for (const path of ['/', '/withdraw']) {
      await page.evaluate("sessionStorage.setItem('CQ-TOKEN-ENDS', String(Date.now()))");
      const refreshed = page.waitForResponse('**/api/session/refresh');
      await page.goto(site.url + path);
      // The header shows the session before the cookie is replaced.
      await (await refreshed).finished();
      await isIn(page);
    }
    const thief = await site.chromium.open(`${site.url}/agree`);
    await thief.context().addCookies([stolen]);
    // A busy service may return 503 first.
    await until(async () => {
      // A browser uses the cookie only if the player has chosen to stay signed in.
      await thief.evaluate("localStorage.setItem('gatehouse-staying', '1')");
      const answered = thief.waitForResponse('**/api/session/refresh');
      await thief.goto(`${site.url}/`);
      // The browser drops the body of a response when its page is left, so only the status is read.
      return (await answered).status() === 401 && (await openSessions(account)).length === 0;
    });
    await thief.getByRole('button', { name: 'Enter the gate' }).waitFor();

    await page.reload();
    await page.getByText('Your session has ended.').waitFor();
    expect(await cookieOf(page)).toBeUndefined();
  });

  it('is not signed in again by its cookie after signing out offline', async () => {
    const { page, account } = await openStaying();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You’re signed out.').waitFor();
    await page.context().setOffline(false);
    await page.goto(`${site.url}/`);
    await page.getByRole('button', { name: 'Enter the gate' }).waitFor();
    await until(async () => (await openSessions(account)).length === 0);
    await until(async () => (await cookieOf(page)) === undefined);
  });
});

/** Makes new tabs wait longer than 200 ms for other tabs, because these may be slower on a busy machine. */
const waitLongerForTabs = (page: Page) =>
  page.context().addInitScript(
    `const { setTimeout } = window;
     window.setTimeout = (then, ms, ...rest) => setTimeout(then, ms === 200 ? 3000 : ms, ...rest);`,
  );

const isIn = (page: Page) => page.getByRole('button', { name: 'Sign out' }).waitFor();

describe('A browser that does not stay signed in', () => {
  it('shares its session with a new tab, until one of the tabs signs out', async () => {
    const { page, account } = await openSignedIn(site, '/');
    expect(await cookieOf(page)).toBeUndefined();
    await waitLongerForTabs(page);
    const second = await tab(page, '/withdraw');
    await heading(second, 'Treasury').waitFor();
    await second.getByTitle(`Signed in as ${account}`).waitFor();
    await expectTokenOnlyInSessionStorage(second);
    expect(await openSessions(account)).toHaveLength(1);

    await second.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You signed out in another tab.').waitFor();
    const third = await tab(page, '/');
    await third.getByRole('button', { name: 'Enter the gate' }).waitFor();
  });

  it('keeps two open accounts independent, and signs in no new tab meanwhile', async () => {
    const [first, other] = [await site.createAccount(), await site.createAccount()];
    const page = await site.chromium.open(`${site.url}/`);
    const second = await tab(page, '/');
    for (const [one, account] of [
      [page, first],
      [second, other],
    ] as const) {
      await signIn(one, account);
      await one.getByTitle(`Signed in as ${account}`).waitFor();
    }
    await waitLongerForTabs(page);
    const third = await tab(page, '/');
    await third.getByRole('button', { name: 'Enter the gate' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You’re signed out.').waitFor();
    await second.getByRole('link', { name: 'Treasury' }).click();
    await heading(second, 'Treasury').waitFor();
    await second.getByTitle(`Signed in as ${other}`).waitFor();
  });

  it('does not offer to stay signed in if the settings forbid it', async () => {
    await site.changeSettings({ session: { remember_days: 0 } });
    const page = await site.chromium.open(`${site.url}/signin`);
    await page.getByRole('button', { name: 'Enter the gate' }).waitFor();
    expect(await page.getByLabel('Stay signed in').count()).toBe(0);
    await site.changeSettings({});
  });
});
