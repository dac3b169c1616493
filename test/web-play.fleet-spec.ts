import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { expectGoodLook } from './support/chromium.js';
import { Client } from './support/client.js';
import { PASSWORD, unique } from './support/factories.js';
import { until } from './support/until.js';
import { expectTokenInItsPlace, heading, signIn } from './support/web-player.js';
import { WebStage } from './support/web-stage.js';

let stage: WebStage;
const open = (path: string, wishes = {}) => stage.chromium.open(stage.url + path, wishes);

beforeAll(async () => {
  stage = await WebStage.start();
  await stage.createZone({ name: 'Dragon Valley' });
  await stage.createZone({ name: 'Sabuk Wall', status: 'busy' });
  await stage.createZone({ name: 'Ox Demon Cave', status: 'maintenance' });
  await stage.createZone({ name: 'Moon Island', open_at: new Date(Date.now() + 3 * 3600_000) });
});
afterEach(() => stage.chromium.expectSilence());
afterAll(() => stage.stop());

async function openSignedIn(path: string): Promise<{ page: Page; account: string }> {
  const account = await stage.createAccount();
  const page = await open(path);
  await signIn(page, account);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return { page, account };
}

async function statusOf(zone: string): Promise<string> {
  const { body } = await new Client(stage.url).get('/api/server/list');
  return body.data.servers.find(({ name }: { name: string }) => name === zone).status;
}

describe('the zones', () => {
  it('show what becomes of them, and let in where one may go in', async () => {
    const { page } = await openSignedIn('/');
    const zone = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await zone('Sabuk Wall').getByText('Busy').waitFor();
    expect(await zone('Ox Demon Cave').textContent()).toContain('Maintenance');
    expect(await zone('Moon Island').textContent()).toMatch(/Opens in 2:59:\d\d/);
    const entrance = (name: string) => page.getByRole('button', { name: `Enter: ${name}` });
    expect(await entrance('Dragon Valley').getAttribute('aria-disabled')).toBeNull();
    for (const name of ['Ox Demon Cave', 'Moon Island']) {
      const closed = page.getByRole('button', { name: `Closed: ${name}` });
      expect(await closed.getAttribute('aria-disabled')).toBe('true');
    }
  });

  it('are handed over to the game client, and the last one comes first', async () => {
    const { page, account } = await openSignedIn('/');
    const token = await page.evaluate("sessionStorage.getItem('CQ-TOKEN')");
    await page.getByRole('button', { name: 'Enter: Sabuk Wall' }).click();
    await page.waitForURL(`${stage.clientUrl}#**`);
    const handed = Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
    const [zone] = await stage.sql("SELECT id FROM server WHERE name = 'Sabuk Wall'");
    expect(handed).toEqual({
      account,
      token,
      server_id: String(zone!.id),
      server_name: 'Sabuk Wall',
      address: '127.0.0.1',
      port: '7000',
    });
    const check = await new Client(stage.url).post('/api/check', { account, token: handed.token });
    expect(check.body.data).toMatchObject({ account, format: 'jwt' });

    await page.goto(`${stage.url}/`);
    await page.getByText('Where you were last').waitFor();
    expect(await page.getByRole('listitem').first().textContent()).toContain('Sabuk Wall');
  });

  it('tell where to connect when there is no game client', async () => {
    // Before the page is opened: a browser may keep the configuration for a few seconds.
    await stage.changeSettings({ game_client_url: null });
    const { page, account } = await openSignedIn('/');
    await page.getByRole('button', { name: 'Enter: Dragon Valley' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('127.0.0.1:7000').waitFor();
    expect(await dialog.textContent()).toContain(account);
    await expectGoodLook(page);
    await page.keyboard.press('Escape');
    expect(await dialog.count()).toBe(0);
    await stage.changeSettings({});
  });

  it('say why one cannot go in after all', async () => {
    const { page } = await openSignedIn('/');
    await page.getByText('Dragon Valley').waitFor();
    await stage.sql("UPDATE server SET status = 'maintenance' WHERE name = 'Dragon Valley'");
    await until(async () => (await statusOf('Dragon Valley')) === 'maintenance');
    await page.getByRole('button', { name: 'Enter: Dragon Valley' }).click();
    await page.getByText('This realm is closed right now.').waitFor();
    await page.getByRole('button', { name: 'Closed: Dragon Valley' }).waitFor();
    await stage.sql("UPDATE server SET status = 'normal' WHERE name = 'Dragon Valley'");
  });

  it('say that there is no connection, and come back with it', async () => {
    const { page } = await openSignedIn('/');
    await page.getByText('Dragon Valley').waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('button', { name: 'Enter: Dragon Valley' }).click();
    await page.getByRole('alert').getByText('The service cannot be reached.').first().waitFor();
    await page.context().setOffline(false);
    await page.getByText('The connection is back.').waitFor();
  });
});

describe('the forum', () => {
  const throughTheForum = async (page: Page) => {
    await page.getByRole('link', { name: 'Continue with the forum' }).click();
    await page.waitForURL(/\/(signin|withdraw)?(\?.*)?$/);
    expect(page.url()).not.toContain('#');
  };

  it('creates an account, and opens it the next time', async () => {
    stage.forum.person = unique('person');
    const page = await open('/withdraw');
    await throughTheForum(page);
    await page.getByRole('heading', { name: 'The forum knows you' }).waitFor();
    await expectGoodLook(page);
    await page.getByRole('button', { name: 'Create a new account' }).click();
    await heading(page, 'Treasury').waitFor();
    await expectTokenInItsPlace(page);
    await page.getByRole('link', { name: 'Realms' }).click();
    const greeting = await page.getByText(/^Welcome, forum_/).textContent();

    const again = await open('/signin');
    await throughTheForum(again);
    await heading(again, 'Choose your realm').waitFor();
    expect(await again.getByText(/^Welcome, forum_/).textContent()).toBe(greeting);
  });

  it('is linked to an account that one has; a wrong password does not spoil it', async () => {
    stage.forum.person = unique('person');
    const account = await stage.createAccount();
    const page = await open('/signin');
    await throughTheForum(page);
    await page.getByRole('button', { name: 'Link an account I have' }).click();
    await page.getByLabel('Account').fill(account);
    await page.getByLabel('Password', { exact: true }).fill('wrong password');
    await page.keyboard.press('Enter');
    await page.getByText('Account and password do not match.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText(`Your forum account is now linked to ${account}.`).waitFor();

    const again = await open('/signin');
    await throughTheForum(again);
    await again.getByText(`Welcome, ${account}`).waitFor();
  });

  it('is linked to the account that is signed in', async () => {
    stage.forum.person = unique('person');
    const { page, account } = await openSignedIn('/');
    await page.getByRole('link', { name: 'Forum account: Link' }).click();
    await page.getByRole('button', { name: `Link to ${account}` }).click();
    await page.getByText(`Your forum account is now linked to ${account}.`).waitFor();
    await page.getByText('Linked since').waitFor();
  });

  it('may fail, and says why', async () => {
    const page = await open('/signin#error=forum_denied');
    await page.getByText('You declined at the forum.').waitFor();
    expect(page.url()).not.toContain('#');
    await page.goto(`${stage.url}/agree`);
    await page.goto(`${stage.url}/signin#ticket=forged&linked=0`);
    await page.getByRole('button', { name: 'Create a new account' }).click();
    await page.getByText('The forum’s confirmation has expired').waitFor();
    expect(await page.getByRole('link', { name: 'Start again at the forum' }).isVisible()).toBe(
      true,
    );
  });
});
