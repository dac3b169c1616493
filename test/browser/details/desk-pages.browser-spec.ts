import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  expectAccessibleLayout,
  expectReadableIn,
  holdRequests,
} from '../../support/browser/chromium.js';
import {
  createDeskFixture,
  type DeskFixture,
  HOSTILE,
  REQUEST_ID,
} from '../../support/browser/desk-fixture.js';
import {
  DESK_PASSWORD,
  DeskTestbed,
  type OperatorName,
  OPERATORS,
  searchFor,
  untilLoaded,
} from '../../support/browser/desk-testbed.js';
import { heading } from '../../support/browser/player-actions.js';

let desk: DeskTestbed;
let data: DeskFixture;

beforeAll(async () => {
  desk = await DeskTestbed.start();
  data = await createDeskFixture(desk.site);
});
afterEach(() => desk.site.chromium.closeAndExpectNoProblems());
afterAll(() => desk.stop());

const nav = (page: Page) => page.getByRole('navigation', { name: 'Pages' });
const searchField = (page: Page) => page.getByRole('searchbox', { name: 'Search players' });

describe('The desk', () => {
  it('asks the operator to sign in when a session ends, and returns to the requested page', async () => {
    const page = await desk.open('theo', `/players/${data.player}`);
    // The session ends during the next page's request, because the current page would notice if it ended earlier.
    await page.route(
      /\/api\/withdrawals(\?|$)/,
      async (route) => {
        await desk.site.database.query(
          "DELETE FROM operator_session WHERE operator_id = (SELECT id FROM operator WHERE name = 'theo')",
        );
        await route.continue();
      },
      { times: 1 },
    );
    await nav(page).getByRole('link', { name: 'Withdrawals' }).click();
    await page.getByText('Your session has ended.').waitFor();
    await expectAccessibleLayout(page);
    await page.getByLabel('Name').fill('theo');
    await page.getByLabel('Password').fill(DESK_PASSWORD);
    await page.getByLabel('One-time code').fill(desk.codeOf('theo', 1));
    await page.keyboard.press('Enter');
    await heading(page, 'Withdrawals').waitFor();
  });

  it('keeps what an operator typed into a dialog when the session ends', async () => {
    const page = await desk.open('mo', `/players/${data.player}`);
    await page.getByText(/^Times in \S/).waitFor();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    await dialog.getByLabel('Message to the player').fill('selling accounts');
    await dialog.getByLabel('Internal note').fill('a long story');
    await desk.site.database.query(
      "DELETE FROM operator_session WHERE operator_id = (SELECT id FROM operator WHERE name = 'mo')",
    );
    await dialog.getByRole('button', { name: 'Ban', exact: true }).click();
    await page.getByText('Your session has ended.').waitFor();
    await page.getByLabel('Name').fill('mo');
    await page.getByLabel('Password').fill(DESK_PASSWORD);
    await page.getByLabel('One-time code').fill(desk.codeOf('mo', 1));
    await page.keyboard.press('Enter');
    await heading(page, data.account).waitFor();
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    expect(await dialog.getByLabel('Internal note').inputValue()).toBe('a long story');
    await dialog.getByRole('button', { name: 'Ban', exact: true }).click();
    await page.getByText('Banned.', { exact: true }).waitFor();
    await page.getByText('selling accounts').first().waitFor();
    // The other tests need a player who is not banned, and the operator's session.
    await desk.site.database.query('DELETE FROM player_ban');
    await desk.signInAgain('mo');
  });

  it('blames only the code if the first sign-in is refused, because the form has no name field', async () => {
    const page = await desk.openFirstSignIn();
    await page.getByLabel('New password').fill(`${DESK_PASSWORD} too`);
    await page.getByLabel('One-time code').fill('000000');
    await page.getByRole('button', { name: 'Set up and sign in' }).click();
    await page.getByText('This code is not accepted.').waitFor();
    expect(await page.getByText('Name, password or code').count()).toBe(0);
    await expectAccessibleLayout(page);
  });

  // Without Redis, unlocking is not offered because the desk cannot reach the service's counters.
  const SUPPORT_ACTS = ['Sign out everywhere', 'Secure a stolen account'];
  const MODERATOR_ACTS = [...SUPPORT_ACTS, 'Ban', 'Disable', 'Rename'];
  const ADMIN_ACTS = ['Change mailbox', 'Set password', 'Unlink', 'Close account', 'Export data'];
  it.each([
    ['sue', SUPPORT_ACTS],
    ['mo', MODERATOR_ACTS],
    ['tara', []],
    ['ada', [...MODERATOR_ACTS, ...ADMIN_ACTS]],
  ] satisfies [OperatorName, string[]][])(
    'shows %s only the pages and actions of their role',
    async (name, acts) => {
      const role = OPERATORS[name];
      const isAdmin = role === 'admin';
      const page = await desk.open(name, `/players/${data.player}`);
      const pages = await nav(page).getByRole('link').allInnerTexts();
      expect(pages.map((text) => text.trim().split('\n')[0])).toEqual([
        'Overview',
        'Players',
        'Withdrawals',
        'Servers',
        'Guessing',
        'Mails',
        'Promoters',
        'Refused requests',
        'Events',
        ...(role === 'moderator' || isAdmin ? ['Chat'] : []),
        ...(isAdmin ? ['Audit'] : []),
      ]);
      const buttons = page.getByRole('group', { name: 'Actions' }).getByRole('button');
      expect(await buttons.allInnerTexts()).toEqual(acts);
      const mailbox = await page.getByText('@example.com').innerText();
      expect(mailbox.includes('•')).toBe(!isAdmin);

      await page.goto(`${desk.url}/withdrawals/${data.small}`);
      await untilLoaded(page);
      const maySettle = role === 'treasury' || isAdmin;
      expect(await page.getByRole('button', { name: /^Settle/ }).count()).toBe(maySettle ? 2 : 0);
      await page.goto(`${desk.url}/servers`);
      await page.getByText('Sand Keep').first().waitFor();
      expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(isAdmin ? 2 : 0);
      await page.goto(`${desk.url}/audit`);
      await heading(page, isAdmin ? 'Audit' : 'Your role cannot see this page').waitFor();
    },
  );

  it.each([
    [1280, 'en-US'],
    [360, 'zh-CN'],
  ] as const)(
    'is accessible and shows markup as text on every page, at %i px in %s',
    async (width, language) => {
      const page = await desk.open('ada', '/', { width, language, scheme: 'dark' });
      for (const path of [
        '/',
        '/players',
        `/players?q=${data.account.slice(0, 4)}`,
        `/players/${data.player}`,
        '/withdrawals?status=all',
        `/withdrawals/${data.large}`,
        '/servers',
        '/guesses',
        '/mails',
        '/promoters',
        '/refusals?senders=all&since=720',
        '/chat',
        '/audit',
        '/account',
        `/requests/${REQUEST_ID}`,
        '/nowhere',
        `/players/${data.hostile}`,
      ]) {
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.goto(desk.url + path);
        await untilLoaded(page);
        await expectAccessibleLayout(page);
        await expectReadableIn(page, 'light');
        expect(await page.locator('main img').count(), path).toBe(0);
      }
      await heading(page, HOSTILE).waitFor();
      expect(await page.evaluate('window.hit')).toBeUndefined();
    },
  );
});

describe("The desk's keyboard shortcuts", () => {
  it('move between pages and rows, and are listed in a help dialog', async () => {
    const page = await desk.open('sue', '/');
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await heading(page, 'Withdrawals').waitFor();
    await page.getByText(`#${data.large}`).waitFor();
    const focused = (id: number) => page.locator('main :focus', { hasText: `#${id}` });
    await page.keyboard.press('j');
    await focused(data.large).waitFor();
    await page.keyboard.press('j');
    await focused(data.small).waitFor();
    await page.keyboard.press('k');
    await focused(data.large).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, `Withdrawal #${data.large}: 25,000`).waitFor();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.waitFor();
    await expectAccessibleLayout(page);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
  });

  it('do not act on letters typed into the search field', async () => {
    const page = await desk.open('sue', '/');
    await searchFor(page, `#${data.small}`);
    await heading(page, `Withdrawal #${data.small}: 500`).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('jk?gz');
    expect(await searchField(page).inputValue()).toBe('jk?gz');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await heading(page, 'Servers').waitFor();
  });

  it('reach the search field even before a closed dialog has fired its close event', async () => {
    const page = await desk.open('sue', '/withdrawals');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.evaluate(
      "document.querySelector('dialog').close(); dispatchEvent(new KeyboardEvent('keydown', { key: '/' }))",
    );
    await page.keyboard.type('jk?gz');
    expect(await searchField(page).inputValue()).toBe('jk?gz');
  });

  it('keep text typed into the search field while the next page loads', async () => {
    const page = await desk.open('sue', '/players?q=nobody');
    const release = await holdRequests(page, '**/ServersPage*');
    const requested = page.waitForRequest('**/ServersPage*');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await requested;
    await page.keyboard.press('/');
    await page.keyboard.type('jk');
    release();
    await heading(page, 'Servers').waitFor();
    await page.keyboard.type('?gw');
    expect(await searchField(page).inputValue()).toBe('jk?gw');
  });
});

describe('Text typed at the desk', () => {
  it('is kept in the search field while the first result loads', async () => {
    const page = await desk.open('sue', '/');
    const release = await holdRequests(page, '**/WithdrawalPage*');
    const requested = page.waitForRequest('**/WithdrawalPage*');
    await searchFor(page, `#${data.small}`);
    await requested;
    await page.keyboard.type('?gw');
    expect(await page.getByRole('dialog').count()).toBe(0);
    release();
    await heading(page, `Withdrawal #${data.small}: 500`).waitFor();
    await page.keyboard.type('gz');
    expect(await searchField(page).inputValue()).toBe('?gwgz');
  });

  it('is kept in a filter while the list changes', async () => {
    const page = await desk.open('sue', '/withdrawals?status=all');
    const release = await holdRequests(page, '**/api/withdrawals?*');
    await page.getByLabel('Status').selectOption('failed');
    await page.getByLabel('Account').pressSequentially('next');
    await page.goBack();
    release();
    await page.getByRole('link', { name: `#${data.small}` }).waitFor();
    expect(await page.getByLabel('Account').inputValue()).toBe('next');
    expect(await page.getByLabel('Status').inputValue()).toBe('all');
  });
});

describe('Live updates on a player page', () => {
  const login = () => ({
    created_at: new Date(),
    way: 'login',
    outcome: 'ok',
    player_id: data.player,
  });

  it('appear without disturbing what the operator is typing', async () => {
    const page = await desk.open('mo', `/players/${data.player}`);
    await page.getByText('updates automatically', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByLabel('Internal note').fill('what was typed so far');
    await desk.site.database.insert('login_event', { ...login(), device: 'news' });
    await page.getByText('news').waitFor();
    expect(await page.getByLabel('Internal note').inputValue()).toBe('what was typed so far');
  });

  it('stop with a notice while the desk is down, and resume automatically', async () => {
    const page = await desk.open('mo', `/players/${data.player}`);
    await page.getByText('Live', { exact: true }).waitFor();
    const release = await holdRequests(page, '**/api/{now,players/**}');
    desk.killDesk();
    await page.getByText(/^No updates since \d\d:\d\d$/).waitFor();
    await page.getByText(/^as of \d\d:\d\d, not updating$/).waitFor();
    await expectAccessibleLayout(page);
    release();
    await page.getByText('Live', { exact: true }).waitFor({ timeout: 90_000 });
    await page.getByText('updates automatically', { exact: true }).waitFor();
  });
});
