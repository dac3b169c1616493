import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { expectAccessibleLayout } from '../support/browser/chromium.js';
import { PASSWORD } from '../support/api/factories.js';
import { until } from '../support/until.js';
import { WebTestbed } from '../support/browser/web-testbed.js';

const PHONE = { width: 360, height: 640 };
const LONG = 'W'.repeat(64);
const ARABIC = 'مملكة التنين الأحمر';
const SHIFTS = `window.shifted = 0; new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifted += value;
}).observe({ type: 'layout-shift', buffered: true })`;

let stage: WebTestbed;
let token: string;

beforeAll(async () => {
  stage = await WebTestbed.start();
  await fill(200);
  const account = await stage.createAccount();
  const answer = await new Client(stage.url).post('/api/login', { account, password: PASSWORD });
  token = answer.body.data.token as string;
  const [player] = await stage.sql('SELECT id FROM player WHERE account = ?', [account]);
  const entered = [150, 2, 3, 4, 5, 6, 7, 8, 9].map((id, hours) => [
    player!.id,
    id,
    new Date(Date.now() - (hours + 0.5) * 3_600_000),
  ]);
  await stage.sql('INSERT INTO player_zone (player_id, server_id, entered_at) VALUES ?', [entered]);
});
afterEach(() => stage.chromium.expectNoComplaints());
afterAll(() => stage.stop());

/** So many servers: one with a long name, one from right to left, one recommended, one under maintenance. */
async function fill(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, place) => {
    const id = place + 1;
    const name = { 2: LONG, 3: ARABIC }[id] ?? `Realm ${id}`;
    return [id, name, '127.0.0.1', 7000, id === 4 ? 'maintenance' : 'normal', id, id === 188];
  });
  await stage.sql('DELETE FROM server');
  await stage.sql(
    'INSERT INTO server (id, name, address, port, status, sort, recommended) VALUES ?',
    [rows],
  );
  const client = new Client(stage.url);
  await until(async () => {
    const { body } = await client.get('/api/server/list');
    return body.data.servers.length === count;
  });
}

/** Signed in as the player of these tests, before the page has loaded anything. */
async function open(path: string, wishes = {}): Promise<Page> {
  const page = await stage.chromium.open('about:blank', wishes);
  await page.addInitScript(`sessionStorage.setItem('CQ-TOKEN', '${token}'); ${SHIFTS}`);
  await page.goto(stage.url + path);
  return page;
}

const entrance = (page: Page, name: string) =>
  page.getByRole('button', { name: `Enter: ${name}`, exact: true });
const labels = (page: Page) =>
  page
    .getByRole('button', { name: /^(Enter|Maintenance): / })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));

describe('200 realms', () => {
  it('are about two screens of a phone: mine, the recommended one, and a tab of twenty', async () => {
    const page = await open('/', PHONE);
    await entrance(page, 'Realm 188').first().waitFor();
    const named = await labels(page);
    expect(named.slice(0, 4)).toEqual([
      'Enter: Realm 150',
      `Enter: ${LONG}`,
      `Enter: ${ARABIC}`,
      'Maintenance: Realm 4',
    ]);
    // Eight of mine, the recommended one, and the twenty of its tab.
    expect(named).toHaveLength(8 + 1 + 20);
    expect(named).not.toContain('Enter: Realm 9');
    await page.getByRole('tab', { name: '181–200', selected: true }).waitFor();
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
    expect(height).toBeLessThan(2.5 * PHONE.height);
    await expectAccessibleLayout(page);
  });

  it('are found by name and number while typing, and by tab with the keyboard', async () => {
    const page = await open('/');
    const search = page.getByRole('searchbox', { name: 'Name or number' });
    await search.fill('realm 17');
    await page.getByText('Found: 11').waitFor();
    await search.fill('42');
    await page.getByText('Found: 2').waitFor();
    await entrance(page, 'Realm 142').waitFor();
    await expectAccessibleLayout(page);
    await search.fill('no such realm');
    await page.getByText('Found: 0').waitFor();
    await search.fill('');
    await page.getByRole('tab', { name: '181–200' }).press('ArrowRight');
    await page.locator('[role=tab]:focus', { hasText: '1–20' }).waitFor();
    await entrance(page, 'Realm 20').waitFor();
  });

  it('have more columns on a wide screen', async () => {
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

  it('show my heroes as their servers answer, and wait for none', async () => {
    const page = await stage.chromium.open('about:blank');
    await page.addInitScript(`sessionStorage.setItem('CQ-TOKEN', '${token}')`);
    const hero = { role_id: 1, name: 'Taoist', level: 42, balance: 0 };
    await page.route('**/api/game/roles?server_id=*', (route) => {
      // The server of the first card never answers.
      if (!route.request().url().endsWith('=150'))
        void route.fulfill({ json: { code: 0, message: 'ok', data: { roles: [hero] } } });
    });
    await page.goto(stage.url);
    const mine = page.getByRole('region', { name: 'My realms' }).getByRole('listitem');
    await mine.filter({ hasText: LONG }).getByText('Taoist').waitFor();
    await mine.filter({ hasText: 'Realm 8' }).getByText('Level 42').waitFor();
    expect(await entrance(page, 'Realm 150').first().getAttribute('aria-disabled')).toBeNull();
    // A server under maintenance is not asked.
    expect(await mine.filter({ hasText: 'Realm 4' }).getByText('Taoist').count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it.each(['zh-CN', 'en-US'] as const)(
    'are chosen by the same picker in the treasury, in %s',
    async (language) => {
      const page = await open('/withdraw', { width: 320, height: 640, language });
      await page.locator('[name=server_id]').click();
      const search = page.getByRole('dialog').getByRole('searchbox');
      await search.waitFor();
      await expectAccessibleLayout(page);
      await search.fill('77');
      await page.getByRole('button', { name: 'Realm 77' }).click();
      expect(await page.locator('[name=server_id]').textContent()).toContain('Realm 77');
    },
  );

  it('have the tabs that operators name, and none for a few', async () => {
    await fill(40);
    await stage.sql("UPDATE server SET zone_group = '东部 East' WHERE id > 30");
    await until(async () =>
      (await new Client(stage.url).get('/api/server/list')).text.includes('东部'),
    );
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
    expect(await labels(few)).toEqual([`Enter: ${LONG}`, 'Enter: Realm 1']);
    await fill(200);
  });
});

describe('every page', () => {
  const PATHS = ['/', '/withdraw', '/agree', '/signin', '/no-such-page'];

  it('shows what is announced, with its time, and where to turn to', async () => {
    const end = new Date(Date.now() + 3_600_000).toISOString();
    const text = { zh: '两点起维护', en: 'Maintenance from two' };
    await stage.changeSettings({
      notices: [{ text, level: 'warning', until: end, link: 'https://forum.example/1' }],
      support_url: 'mailto:help@example.com',
      privacy_url: 'https://example.com/privacy',
    });
    const page = await open('/', { width: 320 });
    for (const path of PATHS) {
      await page.goto(stage.url + path);
      await page.getByText(text.en).waitFor();
      expect(await page.locator('time').textContent()).toMatch(/Until .*UTC/);
      const links = page.getByRole('contentinfo').locator('a');
      const addresses = await links.evaluateAll((all) => all.map((a) => a.getAttribute('href')));
      expect(addresses).toEqual(
        expect.arrayContaining(['mailto:help@example.com', 'https://example.com/privacy']),
      );
    }
    await expectAccessibleLayout(page);
    await page.goto(stage.url);
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByText(text.zh).waitFor();
    await expectAccessibleLayout(page);
    await stage.changeSettings({});
  });

  it('stands still while it loads, and so does the scene behind what is read', async () => {
    const page = await open('/', PHONE);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    for (const path of ['/', '/withdraw', '/agree', '/no-such-page']) {
      await page.goto(stage.url + path);
      await page.waitForLoadState('networkidle');
      await page.locator('.scene').waitFor({ state: 'attached' });
      expect(Number(await page.evaluate('shifted')), path).toBeLessThanOrEqual(0.05);
      const moving = Number(
        await page.evaluate(
          "document.querySelector('.scene').getAnimations({ subtree: true }).length",
        ),
      );
      // Only at the gate itself the fires burn.
      if (path === '/no-such-page') expect(moving).toBeGreaterThan(10);
      else expect(moving, path).toBe(0);
    }
  });

  it('says what it needs where there are no scripts', async () => {
    const page = await stage.chromium.open(stage.url, { ...PHONE, scripts: false });
    const words = page.locator('noscript');
    expect(await words.textContent()).toContain('Gatehouse needs JavaScript.');
    const { y, height } = (await words.boundingBox())!;
    expect(y + height).toBeLessThan(PHONE.height);
  });
});
