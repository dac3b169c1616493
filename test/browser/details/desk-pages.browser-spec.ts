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
  it('asks to sign in when a session ends, and returns to the page that was asked for', async () => {
    const page = await desk.open('theo', `/players/${data.player}`);
    // Ended together with the request of the next page; this page would notice it too.
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

  // Without Redis, unlocking is not offered: the desk cannot reach the counters of the service.
  const SUPPORT_ACTS = ['Sign out everywhere', 'Secure a stolen account'];
  const MODERATOR_ACTS = [...SUPPORT_ACTS, 'Ban', 'Disable', 'Rename'];
  it.each([
    ['sue', SUPPORT_ACTS],
    ['mo', MODERATOR_ACTS],
    ['tara', []],
    ['ada', [...MODERATOR_ACTS, 'Change mailbox', 'Set password', 'Unlink']],
  ] satisfies [OperatorName, string[]][])(
    'shows %s only the pages and acts of the role',
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

describe('The keyboard at the desk', () => {
  it('moves between pages and rows, and shows its keys', async () => {
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

  it('types into the search field without acting on its letters', async () => {
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

  it('reaches the search field before a closed dialog has fired its event', async () => {
    const page = await desk.open('sue', '/withdrawals');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.evaluate(
      "document.querySelector('dialog').close(); dispatchEvent(new KeyboardEvent('keydown', { key: '/' }))",
    );
    await page.keyboard.type('jk?gz');
    expect(await searchField(page).inputValue()).toBe('jk?gz');
  });

  it('keeps what is typed into the search field while the next page loads', async () => {
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

describe('The search field of the desk', () => {
  it('takes the next search while the page of the first one loads', async () => {
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

  it('leaves what is typed into a filter while the list changes', async () => {
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

describe('The live updates of a player page', () => {
  const login = () => ({
    created_at: new Date(),
    way: 'login',
    outcome: 'ok',
    player_id: data.player,
  });

  it('appear without disturbing what is being typed', async () => {
    const page = await desk.open('mo', `/players/${data.player}`);
    await page.getByText('updates automatically', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByLabel('Reason').fill('what was typed so far');
    await desk.site.database.insert('login_event', { ...login(), device: 'news' });
    await page.getByText('news').waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toBe('what was typed so far');
  });

  it('stop with a notice while the desk is down, and go on by themselves', async () => {
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
