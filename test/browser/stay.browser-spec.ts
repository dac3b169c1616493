import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleLayout } from '../support/browser/chromium.js';
import { PASSWORD } from '../support/api/factories.js';
import { removeFolder, temporaryFolder } from '../support/servers/temporary-folder.js';
import { until } from '../support/until.js';
import {
  expectTokenOnlyInSessionStorage,
  heading,
  openSignedIn,
  signIn,
} from '../support/browser/web-player.js';
import { WebTestbed } from '../support/browser/web-testbed.js';

let stage: WebTestbed;

beforeAll(async () => {
  stage = await WebTestbed.start();
  await stage.addServer({ name: 'Dragon Valley' });
});
afterEach(() => stage.chromium.expectNoComplaints());
afterAll(() => stage.stop());

const home = (page: Page) => heading(page, 'Choose your realm').waitFor();
const tab = (page: Page, path: string) => stage.chromium.openTab(page.context(), stage.url + path);
const cookieOf = async (page: Page) =>
  (await page.context().cookies(`${stage.url}/api`)).find(
    ({ name }) => name === 'gatehouse_session',
  );
const openSessions = async (account: string) =>
  stage.sql(
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
  const account = await stage.createAccount();
  const page = await stage.chromium.open(`${stage.url}/`);
  await signInToStay(page, account);
  return { page, account };
}

describe('a browser that stays signed in', () => {
  it('is signed in in every new tab, and signed out in all of them at once', async () => {
    const { page, account } = await openStaying();
    await expectTokenOnlyInSessionStorage(page);
    const second = await tab(page, '/withdraw');
    await heading(second, 'Treasury').waitFor();
    await expectTokenOnlyInSessionStorage(second);
    const [third] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Account' }).click({ modifiers: ['ControlOrMeta'] }),
    ]);
    stage.chromium.listenTo(third);
    await heading(third, 'Your account').waitFor();
    // The sign-in page has nothing to offer to somebody who is in.
    const fourth = await tab(page, '/signin?return_to=/withdraw');
    await heading(fourth, 'Treasury').waitFor();
    expect(await openSessions(account)).toHaveLength(1);

    await second.getByRole('button', { name: 'Sign out' }).click();
    await second.getByText('You are signed out.').waitFor();
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

  it('is signed in after a restart', async () => {
    const folder = temporaryFolder('profile');
    const account = await stage.createAccount();
    const before = await stage.chromium.openProfile(folder, `${stage.url}/`);
    await signInToStay(before, account);
    await before.context().close();

    const after = await stage.chromium.openProfile(folder, `${stage.url}/withdraw`);
    await heading(after, 'Treasury').waitFor();
    await after.getByTitle(`Signed in as ${account}`).waitFor();
    await after.context().close();
    removeFolder(folder);
  });

  it.each([
    ['has run out', "sessionStorage.setItem('CQ-TOKEN-ENDS', String(Date.now()))"],
    ['is refused', "sessionStorage.setItem('CQ-TOKEN', sessionStorage['CQ-TOKEN'] + 'x')"],
  ])('gets another token when the one of a tab %s, and asks once', async (_, spoil) => {
    const { page } = await openStaying();
    let refreshes = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/session/refresh')) refreshes++;
    });
    await page.evaluate(spoil);
    await page.goto(`${stage.url}/withdraw`);
    await heading(page, 'Treasury').waitFor();
    await page.getByText('Nothing has been withdrawn yet.').waitFor();
    expect(refreshes).toBe(1);
    await expectTokenOnlyInSessionStorage(page);
  });

  it('is signed out, together with the thief, when a copy of its cookie is used', async () => {
    const { page, account } = await openStaying();
    const stolen = (await cookieOf(page))!;
    // Twice: the one before the last is good for tabs that ask at once.
    for (const path of ['/', '/withdraw']) await isIn(await tab(page, path));
    const thief = await stage.chromium.open(`${stage.url}/agree`);
    await thief.context().addCookies([stolen]);
    await thief.goto(`${stage.url}/`);
    await thief.getByRole('button', { name: 'Enter the gate' }).waitFor();
    expect(await openSessions(account)).toEqual([]);

    await page.reload();
    await page.getByText('Your session has ended.').waitFor();
    expect(await cookieOf(page)).toBeUndefined();
  });

  it('that signs out without network is not signed in again by its cookie', async () => {
    const { page, account } = await openStaying();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.context().setOffline(false);
    await page.goto(`${stage.url}/`);
    await page.getByRole('button', { name: 'Enter the gate' }).waitFor();
    await until(async () => (await openSessions(account)).length === 0);
    await until(async () => (await cookieOf(page)) === undefined);
  });
});

const isIn = (page: Page) => page.getByRole('button', { name: 'Sign out' }).waitFor();

describe('a browser that does not', () => {
  it('asks for a sign-in in a new tab, and leaves a tab of another account alone', async () => {
    const { page } = await openSignedIn(stage, '/');
    expect(await cookieOf(page)).toBeUndefined();
    const second = await tab(page, '/');
    await second.getByRole('button', { name: 'Enter the gate' }).waitFor();
    const other = await stage.createAccount();
    await signIn(second, other, PASSWORD);
    await home(second);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await second.getByRole('link', { name: 'Treasury' }).click();
    await heading(second, 'Treasury').waitFor();
    await second.getByTitle(`Signed in as ${other}`).waitFor();
  });

  it('is not offered to stay where the operator does not want it', async () => {
    await stage.changeSettings({ session: { remember_days: 0 } });
    const page = await stage.chromium.open(`${stage.url}/signin`);
    await page.getByRole('button', { name: 'Enter the gate' }).waitFor();
    expect(await page.getByLabel('Stay signed in').count()).toBe(0);
    await stage.changeSettings({});
  });
});
