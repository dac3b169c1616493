import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { newMailbox, PASSWORD, unique } from '../support/accounts.js';
import { EmbeddedGameWorld } from '../support/browser/embedded-game-world.js';
import {
  continueWithForum,
  expectTokenOnlyInSessionStorage,
  heading,
  openSignedIn,
  press,
  requestCode,
  signIn,
} from '../support/browser/player-actions.js';
import { WebTestbed } from '../support/browser/web-testbed.js';

const NEW_PASSWORD = 'a better password';
let site: WebTestbed;
let world: EmbeddedGameWorld;
let server: number;
const open = (path: string) => site.chromium.open(site.url + path);

beforeAll(async () => {
  world = await EmbeddedGameWorld.start();
  site = await WebTestbed.start({ env: { GAME_DATABASE_URL: world.roles.urlAt() } });
  server = await site.addServer({ name: 'Dragon Valley', gm_port: world.gameServer.port });
  await world.roles.addServer(server);
  await site.addServer({ name: 'Sabuk Wall', status: 'busy' });
  await site.addServer({ name: 'Ox Demon Cave', status: 'maintenance' });
});
afterEach(() => site.chromium.closeAndExpectNoProblems());
afterAll(async () => {
  await site.stop();
  await world.stop();
});

describe('The sign-in page', () => {
  it('registers an account with a mailed code and signs it in', async () => {
    const [account, email] = [unique('hero'), newMailbox()];
    const page = await open('/?agent_id=77');
    await page.getByRole('link', { name: 'Register' }).click();
    await page.getByLabel('Account').fill(account);
    await page.getByLabel('Code from the e-mail').fill(await requestCode(site, page, email));
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press(page, /^First realm/);
    const picker = page.getByRole('dialog', { name: 'First realm' });
    await picker.getByRole('button', { name: 'Choose: Sabuk Wall' }).click();
    await picker.waitFor({ state: 'detached' });
    const request = page.waitForRequest('**/api/register*');
    await press(page, 'Create account');

    expect(new URL((await request).url()).search).toBe('?agent_id=77');
    await heading(page, 'Choose your realm').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Sabuk Wall' }).waitFor();
    await page.getByText('Your first realm').waitFor();
    await expectTokenOnlyInSessionStorage(page);
    expect(await site.player(account)).toMatchObject({
      email,
      device: 'desktop',
      browse: expect.stringMatching(/^Chrome \d/),
    });
  });

  it('returns to the requested page, even after a wrong password', async () => {
    const account = await site.createAccount();
    const page = await open('/withdraw');
    await page.waitForURL('**/signin?return_to=/withdraw');
    await page.locator('[name=account]:focus').waitFor();
    await page.keyboard.type(account);
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong password');
    await page.keyboard.press('Enter');
    await page.getByText('Wrong account or password.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await heading(page, 'Treasury').waitFor();
    await expectTokenOnlyInSessionStorage(page);
  });

  it('sets a new password with a mailed code and signs the player in', async () => {
    const email = newMailbox();
    const account = await site.createAccount(email);
    const page = await open('/signin');
    await page.getByRole('link', { name: 'Reset password' }).click();
    await page.getByLabel('Account').fill(account);
    await page.getByLabel('Code from the e-mail').fill(await requestCode(site, page, email));
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await press(page, 'Set new password');
    await page.getByText(`The password of ${account} is set, and you are signed in.`).waitFor();
    await heading(page, 'Choose your realm').waitFor();
  });

  it('creates an account through the forum and opens the same account the next time', async () => {
    site.forum.person = unique('person');
    const page = await open('/signin');
    await continueWithForum(page);
    await press(page, 'Create a new account');
    const greeting = await page.getByText(/^Welcome, forum_/).textContent();
    await expectTokenOnlyInSessionStorage(page);

    const later = await open('/signin');
    await continueWithForum(later);
    await press(later, 'Continue with the forum account');
    await later.getByText(greeting!).waitFor();
  });
});

describe('The realms page', () => {
  it('offers only open realms for entry', async () => {
    const { page } = await openSignedIn(site, '/');
    await page.getByRole('button', { name: 'Enter: Dragon Valley' }).waitFor();
    await page.getByText('Busy').first().waitFor();
    const closed = page.getByRole('button', { name: 'Maintenance: Ox Demon Cave' });
    expect(await closed.getAttribute('aria-disabled')).toBe('true');
  });

  it('hands the player over to the game client and lists the last realm first', async () => {
    const { page, account } = await openSignedIn(site, '/');
    const own = await page.evaluate("sessionStorage.getItem('CQ-TOKEN')");
    await press(page, 'Enter: Sabuk Wall');
    await page.waitForURL(`${site.clientUrl}#**`);
    const handedOver = Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
    const { token } = handedOver;
    expect(token).not.toBe(own);
    expect(handedOver).toEqual({
      account,
      token,
      server_id: String(server + 1),
      server_name: 'Sabuk Wall',
      address: '127.0.0.1',
      port: '7000',
    });
    const check = await new Client(site.url).post('/api/check', { account, token });
    expect(check.body.data).toMatchObject({ account, format: 'jwt' });

    await page.goto(site.url);
    await page.getByText('Last visited').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Sabuk Wall' }).waitFor();
  });
});

describe('The withdrawal page', () => {
  let account: string;
  let roleName: string;
  let role: number;

  beforeEach(async () => {
    account = await site.createAccount();
    roleName = unique('knight');
    role = await world.roles.createRole(server, { account, name: roleName, balance: 1000 });
    world.gameServer.ledger.clear();
    world.gameServer.fault = () => 'none';
  });

  async function review(): Promise<Page> {
    const { page } = await openSignedIn(site, '/withdraw', account);
    await page.locator('[name=server_id]').click();
    await press(page, 'Choose: Dragon Valley');
    await page.getByRole('radio', { name: roleName }).check();
    await page.getByLabel('Amount').fill('400');
    await press(page, 'Review withdrawal');
    return page;
  }

  it('withdraws once even if the player presses the button twice', async () => {
    const page = await review();
    await page.getByRole('button', { name: 'Withdraw 400 yuanbao' }).dblclick();
    await page.getByText(`400 yuanbao were withdrawn from ${roleName}`).waitFor();
    await page.getByRole('listitem').getByText('Done').waitFor();
    expect(await world.roles.balanceOf(server, role)).toBe(600);
    expect(world.applications).toEqual([1]);
  });

  it('shows the number of a withdrawal with an unknown outcome until it is settled', async () => {
    world.gameServer.answersQueries = false;
    world.gameServer.fault = () => 'error_after';
    const page = await review();
    await press(page, 'Withdraw 400 yuanbao');
    const title = page.getByText(/^Being checked: No\. \d+$/);
    const id = /\d+/.exec((await title.textContent())!)![0];
    // The form leaves its review once its hero is locked. If that navigation came later, it would abort the reload.
    await page.waitForURL(({ hash }) => hash === '');
    await page.reload();
    await page.getByText(`Being checked: No. ${id}`).waitFor();
    await site.database.query("UPDATE withdraw SET status = 'succeeded' WHERE id = ?", [id]);
    await page.getByText(`400 yuanbao were withdrawn from ${roleName}. No. ${id}.`).waitFor();
    expect(world.applications).toEqual([1]);
  });
});

describe('The account page', () => {
  it('changes the password, which signs out other devices', async () => {
    const { page, account } = await openSignedIn(site, '/account');
    const { page: other } = await openSignedIn(site, '/', account);
    await press(page, 'Password: Change');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await press(page, 'Save the password');
    await page.getByText('The new password is set.').waitFor();
    await page.reload();
    await heading(page, 'Your account').waitFor();

    await other.reload();
    await other.getByText('Your session has ended.').waitFor();
    await signIn(other, account, NEW_PASSWORD);
    await heading(other, 'Choose your realm').waitFor();
  });

  it('signs the player out and deletes the token', async () => {
    const { page } = await openSignedIn(site, '/account');
    await press(page, 'Sign out');
    await page.getByText('You’re signed out.').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.goto(`${site.url}/account`);
    await page.waitForURL('**/signin?return_to=/account');
  });
});
