import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleLayout, expectReadableIn } from '../support/browser/chromium.js';
import {
  DESK_PASSWORD,
  DeskTestbed,
  type OperatorName,
  OPERATORS,
} from '../support/browser/desk-testbed.js';
import { createDeskFixture, HOSTILE, type DeskFixture } from '../support/browser/desk-fixture.js';
import { heading } from '../support/browser/web-player.js';

let desk: DeskTestbed;
let night: DeskFixture;

beforeAll(async () => {
  desk = await DeskTestbed.start();
  night = await createDeskFixture(desk.stage);
  await desk.ready();
});
afterEach(() => desk.stage.chromium.expectNoComplaints());
afterAll(() => desk.stop());

const nav = (page: Page) => page.getByRole('navigation', { name: /Pages|页面/ });
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search for a player' });
const settled = (page: Page) => page.locator('main :text("Loading"), main :text("加载中")');

async function open(name: OperatorName, path: string, wishes = {}): Promise<Page> {
  const page = await desk.open(name, path, wishes);
  await page.locator('h1').waitFor();
  await settled(page).waitFor({ state: 'hidden' });
  return page;
}

describe('the sign-in', () => {
  it('leads to the page that was asked for, and out again', async () => {
    const page = await desk.stage.chromium.open(`${desk.url}/servers?q=Sand`);
    await heading(page, 'Desk').waitFor();
    await expectAccessibleLayout(page);
    await page.getByLabel('Name').fill('Sue');
    await page.getByLabel('Password').fill('a wrong one');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Name, password or code is wrong.').waitFor();
    await expectAccessibleLayout(page);
    await page.getByLabel('Password').fill(DESK_PASSWORD);
    // The one of this half minute was used at the start.
    await page.getByLabel('One-time code').fill(desk.codeOf('sue', 1));
    await page.keyboard.press('Enter');
    await heading(page, 'Servers').waitFor();
    expect(page.url()).toBe(`${desk.url}/servers?q=Sand`);
    expect(await page.evaluate('document.cookie + JSON.stringify({ ...localStorage })')).toBe('{}');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Desk').waitFor();
    await page.goto(`${desk.url}/servers`);
    await heading(page, 'Desk').waitFor();
  });

  it('comes back when a session ends, and returns to where it was', async () => {
    const page = await open('theo', `/players/${night.player}`);
    const endSession =
      "DELETE s FROM operator_session s JOIN operator o ON o.id = s.operator_id WHERE o.name = 'theo'";
    // With the request of the next page: earlier, a stream could notice first and return to this page.
    await page.route(
      /\/api\/withdrawals(\?|$)/,
      async (route) => {
        await desk.stage.sql(endSession);
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
});

describe.each(
  Object.entries({
    sue: ['Unlock', 'Sign out everywhere', 'Secure a stolen account'],
    mo: ['Unlock', 'Sign out everywhere', 'Secure a stolen account', 'Disable', 'Rename'],
    tara: [],
    ada: [
      'Unlock',
      'Sign out everywhere',
      'Secure a stolen account',
      'Disable',
      'Rename',
      'Change mailbox',
      'Set password',
      'Unlink',
    ],
  } satisfies Partial<Record<OperatorName, string[]>>),
)('%s', (name, acts) => {
  const who = name as OperatorName;
  const role = OPERATORS[who];

  it('sees the pages and acts of the role, and no others', async () => {
    const page = await open(who, `/players/${night.player}`);
    const pages = await nav(page).getByRole('link').allInnerTexts();
    expect(pages.map((text) => text.trim().split('\n')[0])).toEqual([
      'Now',
      'Players',
      'Withdrawals',
      'Servers',
      ...(role === 'moderator' || role === 'admin' ? ['Chat'] : []),
      ...(role === 'admin' ? ['Audit'] : []),
    ]);
    expect(
      await page.getByRole('group', { name: 'Acts' }).getByRole('button').allInnerTexts(),
    ).toEqual(acts);
    const mailbox = await page.getByText('@example.com').innerText();
    expect(mailbox.includes('•')).toBe(role !== 'admin');

    await page.goto(`${desk.url}/withdrawals/${night.small}`);
    await page.locator('h1').waitFor();
    const maySettle = role === 'treasury' || role === 'admin';
    expect(await page.getByRole('button', { name: /^Settle/ }).count()).toBe(maySettle ? 2 : 0);
    await page.goto(`${desk.url}/servers`);
    await page.getByText('Sand Keep').first().waitFor();
    expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(
      role === 'admin' ? 2 : 0,
    );
    await page.goto(`${desk.url}/audit`);
    await heading(page, role === 'admin' ? 'Audit' : 'Not for your role').waitFor();
  });
});

describe.each([
  [1280, 'en-US'],
  [360, 'zh-CN'],
] as const)('at %i px, in %s', (width, language) => {
  it('every page is fit to be used, dark and light, and what comes from outside is text', async () => {
    const page = await open('ada', '/', { width, language, scheme: 'dark' });
    const paths = ['/', '/players', `/players?q=${night.account.slice(0, 4)}`, '/servers', '/chat'];
    paths.push(`/players/${night.player}`, '/withdrawals?status=all', '/audit', '/nowhere');
    paths.push('/requests/01M7F4G9N25PTY9WAWNAD2MEZB', '/requests/request-of-the-night');
    for (const path of [...paths, `/withdrawals/${night.large}`, `/players/${night.hostile}`]) {
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.goto(desk.url + path);
      await page.locator('h1').waitFor();
      await settled(page).waitFor({ state: 'hidden' });
      await expectAccessibleLayout(page);
      await expectReadableIn(page, 'light');
      expect(await page.locator('main img').count(), path).toBe(0);
    }
    await heading(page, HOSTILE).waitFor();
    expect(await page.evaluate('window.hit')).toBeUndefined();
  });
});

describe('by keys alone', () => {
  it('somebody searches, moves, opens, goes elsewhere and looks up the keys', async () => {
    const page = await open('sue', '/');
    await page.keyboard.press('/');
    await page.keyboard.type(`#${night.small}`);
    await page.keyboard.press('Enter');
    await heading(page, `Withdrawal #${night.small}: 500`).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await heading(page, 'Withdrawals').waitFor();
    await page.getByText(`#${night.large}`).waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent.trim()');
    await page.keyboard.press('j');
    expect(await focused()).toBe(`#${night.large}`);
    await page.keyboard.press('j');
    expect(await focused()).toBe(`#${night.small}`);
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await heading(page, `Withdrawal #${night.large}: 25,000`).waitFor();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.waitFor();
    await expectAccessibleLayout(page);
    await page.keyboard.press('g');
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
    // No key acts while somebody types.
    await page.keyboard.press('/');
    await page.keyboard.type('jk?gz');
    expect(await search(page).inputValue()).toBe('jk?gz');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await heading(page, 'Servers').waitFor();
  });

  it('somebody types into the search the moment that a dialog closes', async () => {
    const page = await open('sue', '/');
    await nav(page).getByRole('link', { name: 'Withdrawals' }).click();
    await heading(page, 'Withdrawals').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    // The browser hides a dialog first and fires its close event later: the key comes in between.
    await page.evaluate(
      "document.querySelector('dialog').close(); dispatchEvent(new KeyboardEvent('keydown', { key: '/' }))",
    );
    await page.keyboard.type('jk?gz');
    expect(await search(page).inputValue()).toBe('jk?gz');
  });

  it('somebody types into the search while the next page is still loading', async () => {
    const page = await open('sue', '/players?q=nobody');
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/ServersPage*', (route) => released.then(() => route.continue()));
    const requested = page.waitForRequest('**/ServersPage*');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await requested;
    await page.keyboard.press('/');
    await page.keyboard.type('jk');
    release();
    await heading(page, 'Servers').waitFor();
    await page.keyboard.type('?gw');
    expect(await search(page).inputValue()).toBe('jk?gw');
  });
});

it('says since when it is not live, and is live again by itself', async () => {
  const page = await open('mo', `/players/${night.player}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText('kept up to date', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByLabel('Why').fill('what was typed so far');
  await desk.stage.sql('INSERT INTO login_event SET ?', [
    {
      created_at: new Date(),
      way: 'login',
      outcome: 'ok',
      player_id: night.player,
      device: 'news',
    },
  ]);
  await page.getByText('news').waitFor();
  expect(await page.getByLabel('Why').inputValue()).toBe('what was typed so far');
  await page.keyboard.press('Escape');
  // More than is pushed: the page reads anew by itself, which is no use of the session.
  const readAnew = page.waitForRequest(
    (request) => request.url().endsWith('/timeline') && 'x-desk-no-use' in request.headers(),
  );
  const burst = Array.from({ length: 60 }, () => [new Date(), 'login', 'ok', night.player]);
  const columns = 'created_at, way, outcome, player_id';
  await desk.stage.sql(`INSERT INTO login_event (${columns}) VALUES ?`, [burst]);
  await readAnew;
  await page.getByText('news').waitFor({ state: 'hidden' });
  desk.killDesk();
  await page.getByText(/^Not live since \d\d:\d\d$/).waitFor();
  await page.getByText(/^as of \d\d:\d\d, not kept up to date$/).waitFor();
  await expectAccessibleLayout(page);
  await page.getByText('Live', { exact: true }).waitFor({ timeout: 90_000 });
  await page.getByText('kept up to date', { exact: true }).waitFor();
});
