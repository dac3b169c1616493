import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleLayout } from '../support/browser/chromium.js';
import { Client } from '../support/api/client.js';
import { until } from '../support/until.js';
import { openSignedIn } from '../support/browser/web-player.js';
import { WebTestbed } from '../support/browser/web-testbed.js';

let stage: WebTestbed;

beforeAll(async () => {
  stage = await WebTestbed.start();
  await stage.addServer({ name: 'Dragon Valley' });
  await stage.addServer({ name: 'Sabuk Wall', status: 'busy' });
  await stage.addServer({ name: 'Ox Demon Cave', status: 'maintenance' });
  await stage.addServer({ name: 'Moon Island', open_at: new Date(Date.now() + 3 * 3600_000) });
});
afterEach(() => stage.chromium.expectNoComplaints());
afterAll(() => stage.stop());

/** Shown within a second: whoever opens the page after this sees it. */
async function setStatus(server: string, status: string): Promise<void> {
  await stage.sql('UPDATE server SET status = ? WHERE name = ?', [status, server]);
  await until(async () => {
    const { body } = await new Client(stage.url).get('/api/server/list');
    return (
      body.data.servers.find(({ name }: { name: string }) => name === server).status === status
    );
  });
}

describe('the servers', () => {
  it('show what becomes of them, and let in where one may go in', async () => {
    const { page } = await openSignedIn(stage, '/');
    const server = (name: string) =>
      page.locator('li, section.server').filter({ hasText: name }).first();
    await server('Sabuk Wall').getByText('Busy').waitFor();
    expect(await server('Ox Demon Cave').textContent()).toContain('Maintenance');
    expect(await server('Moon Island').textContent()).toMatch(/Opens in 2:59:\d\d/);
    const entrance = (name: string) => page.getByRole('button', { name: `Enter: ${name}` });
    expect(await entrance('Dragon Valley').getAttribute('aria-disabled')).toBeNull();
    // Each says why on its own card, and what opens soon is not called closed.
    for (const label of ['Maintenance: Ox Demon Cave', 'Opening soon: Moon Island']) {
      const shut = page.getByRole('button', { name: label });
      expect(await shut.getAttribute('aria-disabled')).toBe('true');
    }
    expect(await page.getByText(/closed/i).count()).toBe(0);
  });

  it('are handed over to the game client, and the last one comes first', async () => {
    const { page, account } = await openSignedIn(stage, '/');
    const token = await page.evaluate("sessionStorage.getItem('CQ-TOKEN')");
    await page.getByRole('button', { name: 'Enter: Sabuk Wall' }).click();
    await page.waitForURL(`${stage.clientUrl}#**`);
    const handed = Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
    const [server] = await stage.sql("SELECT id FROM server WHERE name = 'Sabuk Wall'");
    expect(handed).toEqual({
      account,
      token,
      server_id: String(server!.id),
      server_name: 'Sabuk Wall',
      address: '127.0.0.1',
      port: '7000',
    });
    const check = await new Client(stage.url).post('/api/check', { account, token: handed.token });
    expect(check.body.data).toMatchObject({ account, format: 'jwt' });

    await page.goto(`${stage.url}/`);
    await page.getByText('Where you were last').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Sabuk Wall' }).waitFor();
  });

  it('tell where to connect when there is no game client', async () => {
    // Before the page is opened: a browser may keep the configuration for a few seconds.
    await stage.changeSettings({ game_client_url: null });
    const { page, account } = await openSignedIn(stage, '/');
    await page.getByRole('button', { name: 'Enter: Dragon Valley' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('127.0.0.1:7000').waitFor();
    expect(await dialog.textContent()).toContain(account);
    await expectAccessibleLayout(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await stage.changeSettings({});
  });

  it('say why one cannot go in after all', async () => {
    const { page } = await openSignedIn(stage, '/');
    await page.getByText('Dragon Valley').waitFor();
    await setStatus('Dragon Valley', 'maintenance');
    await page.getByRole('button', { name: 'Enter: Dragon Valley' }).click();
    const card = page.locator('li, section.server').filter({ hasText: 'Dragon Valley' }).first();
    await card.getByRole('alert').getByText('This realm is closed right now.').waitFor();
    await card.getByRole('button', { name: 'Maintenance: Dragon Valley' }).waitFor();
    await setStatus('Dragon Valley', 'normal');
  });

  it('say that there is no connection, and come back with it', async () => {
    const { page } = await openSignedIn(stage, '/');
    const entrance = page.getByRole('button', { name: 'Enter: Dragon Valley' });
    await entrance.waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    const failed = page.waitForEvent('requestfailed');
    await entrance.click();
    await failed;
    await entrance.and(page.locator(':not([aria-busy])')).waitFor();
    // Told once, by the bar at the top.
    expect(await page.getByText('The service cannot be reached.').count()).toBe(0);
    expect(await page.getByText('You are offline.').count()).toBe(1);
    await page.context().setOffline(false);
    await page.getByText('The connection is back.').waitFor();
  });
});
