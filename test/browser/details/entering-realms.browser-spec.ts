import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  changeConfig,
  expectAccessibleLayout,
  holdRequests,
} from '../../support/browser/chromium.js';
import { heading, openSignedIn, press } from '../../support/browser/player-actions.js';
import { WebTestbed } from '../../support/browser/web-testbed.js';

let site: WebTestbed;
let dragonValley: number;

beforeAll(async () => {
  site = await WebTestbed.start();
  dragonValley = await site.addServer({ name: 'Dragon Valley' });
  await site.addServer({ name: 'Ox Demon Cave', status: 'maintenance' });
  await site.addServer({ name: 'Moon Island', open_at: new Date(Date.now() + 3 * 3600_000) });
});
afterEach(() => site.chromium.closeAndExpectNoProblems());
afterAll(() => site.stop());

describe('The realms page', () => {
  it('explains on each card why a realm cannot be entered', async () => {
    const { page } = await openSignedIn(site, '/');
    const server = (name: string) =>
      page.locator('li, section.server').filter({ hasText: name }).first();
    await server('Ox Demon Cave').getByText('Maintenance').first().waitFor();
    await server('Moon Island')
      .getByText(/Opens in 2:5\d:\d\d/)
      .waitFor();
    const open = page.getByRole('button', { name: 'Enter: Dragon Valley' });
    expect(await open.getAttribute('aria-disabled')).toBeNull();
    for (const label of ['Maintenance: Ox Demon Cave', 'Opening soon: Moon Island']) {
      const shut = page.getByRole('button', { name: label });
      expect(await shut.getAttribute('aria-disabled')).toBe('true');
    }
    expect(await page.getByText(/closed/i).count()).toBe(0);
  });

  it('shows the address to connect to if there is no game client', async () => {
    const { page, account } = await openSignedIn(site, '/');
    await changeConfig(page, (config) => (config.game_client_url = null));
    await page.reload();
    await press(page, 'Enter: Dragon Valley');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('127.0.0.1:7000').waitFor();
    expect(await dialog.textContent()).toContain(account);
    await expectAccessibleLayout(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('says that a realm was closed after the page loaded', async () => {
    const { page } = await openSignedIn(site, '/');
    await page.getByRole('button', { name: 'Enter: Dragon Valley' }).waitFor();
    // The page refreshes its list periodically, which must not happen before the click.
    const release = await holdRequests(page, '**/api/server/list');
    await site.setServerStatus(dragonValley, 'maintenance');
    await press(page, 'Enter: Dragon Valley');
    release();
    const card = page.locator('li, section.server').filter({ hasText: 'Dragon Valley' }).first();
    await card.getByRole('alert').getByText('This realm is closed right now.').waitFor();
    await card.getByRole('button', { name: 'Maintenance: Dragon Valley' }).waitFor();
    await site.setServerStatus(dragonValley, 'normal');
  });

  it('stays open while another page cannot load offline, and opens that page once the connection is back', async () => {
    const { page } = await openSignedIn(site, '/');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Treasury' }).click();
    await page.getByText('The page opens as soon as the connection is back.').waitFor();
    await heading(page, 'Choose your realm').waitFor();
    expect(page.url()).toBe(`${site.url}/`);
    await page.context().setOffline(false);
    await heading(page, 'Treasury').waitFor();
  });

  it('announces once that the browser is offline, and once that it is back online', async () => {
    const { page } = await openSignedIn(site, '/');
    const entrance = page.getByRole('button', { name: 'Enter: Dragon Valley' });
    await entrance.waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    const failed = page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/api/enter_game'),
    );
    await entrance.click();
    await failed;
    await entrance.and(page.locator(':not([aria-busy])')).waitFor();
    expect(await page.getByText('The service cannot be reached.').count()).toBe(0);
    expect(await page.getByText('You are offline.').count()).toBe(1);
    await page.context().setOffline(false);
    await page.getByText('The connection is back.').waitFor();
  });
});
