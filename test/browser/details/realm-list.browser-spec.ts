import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../support/api/client.js';
import { PASSWORD } from '../../support/accounts.js';
import { expectAccessibleLayout, type WindowOptions } from '../../support/browser/chromium.js';
import { WebTestbed } from '../../support/browser/web-testbed.js';

const PHONE = { width: 360, height: 640 };
const LONG = 'W'.repeat(64);
const ARABIC = 'مملكة التنين الأحمر';

let site: WebTestbed;
let token: string;

beforeAll(async () => {
  site = await WebTestbed.start();
  await fill(200);
  const account = await site.createAccount();
  const answer = await new Client(site.url).post('/api/login', { account, password: PASSWORD });
  token = answer.body.data.token as string;
  const player_id = (await site.player(account)).id as number;
  const entered = [150, 2, 3, 4, 5, 6, 7, 8, 9].map((server_id, hours) => ({
    player_id,
    server_id,
    entered_at: new Date(Date.now() - (hours + 0.5) * 3_600_000),
  }));
  await site.database.insert('player_zone', ...entered);
});
afterEach(() => site.chromium.closeAndExpectNoProblems());
afterAll(() => site.stop());

/** Replaces the servers with a list that has a long name, a right-to-left name and a server in maintenance. */
async function fill(
  count: number,
  group: (id: number) => string | null = () => null,
): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const id = index + 1;
    return {
      id,
      name: { 2: LONG, 3: ARABIC }[id] ?? `Realm ${id}`,
      address: '127.0.0.1',
      port: 7000,
      status: id === 4 ? 'maintenance' : 'normal',
      sort: id,
      recommended: id === 188,
      zone_group: group(id),
    };
  });
  await site.database.query('DELETE FROM server');
  await site.database.insert('server', ...rows);
  await site.untilServersMatch((servers) => servers.length === count);
}

/** Opens a window in which the player is already signed in. */
async function open(path: string, options: WindowOptions = {}): Promise<Page> {
  const page = await site.chromium.open('about:blank', options);
  await page.addInitScript(`sessionStorage.setItem('CQ-TOKEN', '${token}');`);
  await page.goto(site.url + path);
  return page;
}

const entrance = (page: Page, name: string) =>
  page.getByRole('button', { name: `Enter: ${name}`, exact: true });
const labels = (page: Page) =>
  page
    .getByRole('button', { name: /^(Enter|Maintenance): / })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));

describe('The list of realms', () => {
  it("shows the player's realms, the recommended one and a tab of twenty within two and a half phone screens", async () => {
    const page = await open('/', PHONE);
    await entrance(page, 'Realm 188').first().waitFor();
    const named = await labels(page);
    expect(named.slice(0, 4)).toEqual([
      'Enter: Realm 150',
      `Enter: ${LONG}`,
      `Enter: ${ARABIC}`,
      'Maintenance: Realm 4',
    ]);
    // The page shows eight of the player's realms, the recommended one, and the twenty of its tab.
    expect(named).toHaveLength(8 + 1 + 20);
    expect(named).not.toContain('Enter: Realm 9');
    await page.getByRole('tab', { name: '181–200', selected: true }).waitFor();
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
    expect(height).toBeLessThan(2.5 * PHONE.height);
    await expectAccessibleLayout(page);
  });

  it('finds realms by name and number, and changes tabs by keyboard', async () => {
    const page = await open('/');
    const search = page.getByRole('searchbox', { name: 'Name or number' });
    await search.fill('realm 17');
    await page.getByText('11 found').waitFor();
    await search.fill('42');
    await page.getByText('2 found').waitFor();
    await entrance(page, 'Realm 142').waitFor();
    await expectAccessibleLayout(page);
    await search.fill('no such realm');
    await page.getByText('No realms found').waitFor();
    await search.fill('');
    await page.getByRole('tab', { name: '181–200' }).press('ArrowRight');
    await page.locator('[role=tab]:focus', { hasText: '1–20' }).waitFor();
    await entrance(page, 'Realm 20').waitFor();
  });

  it('has more columns on a wider screen', async () => {
    const page = await open('/');
    await entrance(page, 'Realm 182').waitFor();
    const columns = async (width: number) => {
      await page.setViewportSize({ width, height: 1300 });
      return page.evaluate(
        "getComputedStyle([...document.querySelectorAll('.tiles')].at(-1)).gridTemplateColumns.split(' ').length",
      );
    };
    expect([await columns(360), await columns(1280), await columns(2560)]).toEqual([2, 6, 11]);
  });

  it("shows the player's roles without waiting for a server that does not respond", async () => {
    const page = await site.chromium.open('about:blank');
    await page.addInitScript(`sessionStorage.setItem('CQ-TOKEN', '${token}')`);
    const hero = { role_id: 1, name: 'Taoist', level: 42, balance: 0 };
    await page.route('**/api/game/roles?server_id=*', async (route) => {
      const isSilent = route.request().url().endsWith('=150');
      if (!isSilent)
        await route.fulfill({ json: { code: 0, message: 'ok', data: { roles: [hero] } } });
    });
    await page.goto(site.url);
    const mine = page.getByRole('region', { name: 'My realms' }).getByRole('listitem');
    await mine.filter({ hasText: LONG }).getByText('Taoist').waitFor();
    await mine.filter({ hasText: 'Realm 8' }).getByText('Level 42').waitFor();
    expect(await entrance(page, 'Realm 150').first().getAttribute('aria-disabled')).toBeNull();
    // The page requests no roles from a server in maintenance.
    expect(await mine.filter({ hasText: 'Realm 4' }).getByText('Taoist').count()).toBe(0);
  });

  it('also serves as the picker on the withdrawal page', async () => {
    const page = await open('/withdraw', { width: 320, height: 640, language: 'zh-CN' });
    await page.locator('[name=server_id]').click();
    const search = page.getByRole('dialog').getByRole('searchbox');
    await search.waitFor();
    await expectAccessibleLayout(page);
    await search.fill('77');
    await page.getByRole('button', { name: 'Realm 77' }).click();
    await page.locator('[name=server_id]', { hasText: 'Realm 77' }).waitFor();
  });

  it('has the tabs that operators define, and no tabs if there are only a few realms', async () => {
    await fill(40, (id) => (id > 30 ? '东部 East' : null));
    const page = await open('/');
    await page.getByRole('tab', { name: '东部 East' }).click();
    await entrance(page, 'Realm 33').waitFor();
    expect(await page.getByRole('tab').allTextContents()).toEqual(
      ['1–20', '21–40', '东部 East'].map((name) => expect.stringContaining(name)),
    );
    await fill(2);
    const few = await open('/');
    await entrance(few, 'Realm 1').waitFor();
    expect(await few.getByRole('tab').count()).toBe(0);
    expect(await few.getByRole('searchbox').count()).toBe(0);
    await expect
      .poll(() => labels(few), { timeout: 20_000 })
      .toEqual([`Enter: ${LONG}`, 'Enter: Realm 1']);
  });
});
