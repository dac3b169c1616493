import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../../support/api/browser.js';
import { PASSWORD, unique } from '../../support/accounts.js';
import { expectAccessibleLayout } from '../../support/browser/chromium.js';
import {
  continueWithForum,
  heading,
  openSignedIn,
  press,
  signIn,
} from '../../support/browser/player-actions.js';
import { WebTestbed } from '../../support/browser/web-testbed.js';
import { sendJson } from '../../support/servers/plain-forum.js';

const NONCE = 'a-nonce-of-this-tab';
let site: WebTestbed;
const open = (path: string) => site.chromium.open(site.url + path);
/** Stores a nonce, as the page does before it redirects to the forum. */
const setNonce = (page: Page) =>
  page.evaluate(`sessionStorage.setItem('CQ-FORUM-NONCE', '${NONCE}')`);
const forumNotes = (page: Page) =>
  page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('CQ-FORUM'))");

beforeAll(async () => {
  site = await WebTestbed.start();
});
afterEach(() => site.chromium.closeAndExpectNoProblems());
afterAll(() => site.stop());

describe('Signing in through the forum', () => {
  it("shows the forum account's name", async () => {
    site.forum.person = unique('person');
    const page = await open('/signin');
    await continueWithForum(page);
    await page.getByText('Forum account: Somebody', { exact: true }).waitFor();
  });

  it('can be cancelled, and then returns to the requested page', async () => {
    site.forum.person = unique('person');
    const page = await open('/withdraw');
    await continueWithForum(page);
    expect(page.url()).not.toContain('#');
    await expectAccessibleLayout(page);
    await press(page, 'Back, without the forum');
    await continueWithForum(page);
    await page.getByText('By creating an account you accept the User agreement.').waitFor();
    await press(page, 'Create a new account');
    await heading(page, 'Treasury').waitFor();
  });

  it('links an existing account, even after a wrong password', async () => {
    site.forum.person = unique('person');
    const account = await site.createAccount();
    const page = await open('/signin');
    await continueWithForum(page);
    await press(page, 'Link an account I have');
    await page.getByText('Only if you started this yourself just now.').waitFor();
    await expectAccessibleLayout(page);
    await page.getByLabel('Account').fill(account);
    await page.getByLabel('Password', { exact: true }).fill('wrong password');
    await page.keyboard.press('Enter');
    await page.getByText('Wrong account or password.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText(`Your forum account is now linked to ${account}.`).waitFor();
  });

  it('links the signed-in account without further questions', async () => {
    site.forum.person = unique('person');
    const { page, account } = await openSignedIn(site, '/');
    await press(page, 'Forum account: Link');
    await page.getByText(`Your forum account is now linked to ${account}.`).waitFor();
    await page.getByText('Linked since').waitFor();
    expect(await forumNotes(page)).toEqual([]);
  });

  it('is forgotten once the player leaves the sign-in page', async () => {
    site.forum.person = unique('person');
    const page = await open('/signin');
    await continueWithForum(page);
    await page.goto(`${site.url}/agree`);
    await page.goto(`${site.url}/signin`);
    await page.getByRole('button', { name: 'Enter the gate' }).waitFor();
    expect(await forumNotes(page)).toEqual([]);
  });

  it('offers another way to sign in if the forum fails', async () => {
    const page = await open('/withdraw');
    site.forum.token = (_request, response) => sendJson(response, {}, 500);
    await press(page, 'Continue with the forum');
    await page.getByText('The forum is not responding.').waitFor();
    expect(page.url()).not.toContain('#');
    const returned = page.waitForEvent('load');
    await press(page, 'Start again at the forum');
    await returned;
    await page.getByText('The forum is not responding.').waitFor();
    await press(page, 'Another way');
    await signIn(page, await site.createAccount());
    await heading(page, 'Treasury').waitFor();
    site.forum.behave();
  });

  it('explains that the forum rejected the login or that its confirmation has expired', async () => {
    const page = await open('/signin#error=forum_denied&return_to=%2F%2Fevil.example');
    await page.getByText('The forum sign-in took too long').waitFor();
    await press(page, 'Another way');
    await setNonce(page);
    await page.goto(`${site.url}/agree`);
    await page.goto(`${site.url}/signin#ticket=forged&linked=0&nonce=${NONCE}`);
    await press(page, 'Create a new account');
    await page.getByText('The forum’s confirmation has expired').waitFor();
    await page.getByRole('button', { name: 'Start again at the forum' }).waitFor();
    expect(await forumNotes(page)).toEqual([]);
  });
});

describe('A forum sign-in that another person started', () => {
  async function ticketOf(stranger: string, nonce?: string): Promise<string> {
    site.forum.person = stranger;
    const landing = `${site.url}/signin#`;
    const start = `${site.url}/api/forumauth/authorize${nonce ? `?nonce=${nonce}` : ''}`;
    const address = await new Browser().follow(start, landing);
    return new URLSearchParams(address.slice(landing.length)).get('ticket')!;
  }

  const linksOf = (stranger: string) =>
    site.database.query('SELECT * FROM player_connect_threeparty WHERE connect_id = ?', [stranger]);

  async function expectIgnored(page: Page): Promise<void> {
    await page.getByText('This sign-in was not started in this tab').waitFor();
    expect(page.url()).toBe(`${site.url}/signin`);
    expect(await page.getByRole('button', { name: /Link|Create|Go on/ }).count()).toBe(0);
    expect(await page.getByLabel('Password').count()).toBe(0);
  }

  it.each([
    [undefined, 0],
    ['nonce-of-the-stranger', 0],
    ['nonce-of-the-stranger', 1],
  ] as const)('is ignored with the nonce %s and linked=%i', async (nonce, linked) => {
    const stranger = unique('person');
    const ticket = await ticketOf(stranger, nonce);
    const page = await open(
      `/signin#ticket=${ticket}&linked=${linked}&return_to=%2Fwithdraw&nonce=${nonce ?? ''}`,
    );
    await expectIgnored(page);
    await press(page, 'Another way');
    await page.getByRole('button', { name: 'Enter the gate' }).waitFor();
    expect(await linksOf(stranger)).toEqual([]);
  });

  it('is ignored for a signed-in player', async () => {
    const stranger = unique('person');
    const ticket = await ticketOf(stranger);
    const { page } = await openSignedIn(site, '/');
    await page.goto(`${site.url}/signin#ticket=${ticket}&linked=0`);
    await expectIgnored(page);
    await expectAccessibleLayout(page);
    await page.reload();
    await heading(page, 'Choose your realm').waitFor();
    expect(await linksOf(stranger)).toEqual([]);
  });

  it('does not interrupt a sign-in that the player started in the same tab', async () => {
    const ticket = await ticketOf(unique('person'));
    const page = await open('/signin');
    await setNonce(page);
    await page.goto(`${site.url}/agree`);
    await page.goto(`${site.url}/signin#ticket=${ticket}&linked=0`);
    await expectIgnored(page);
    await page.goto(`${site.url}/api/forumauth/authorize?nonce=${NONCE}`);
    await page.getByRole('heading', { name: 'Continue with your forum account' }).waitFor();
  });

  it("is ignored when it passes through the forum in the player's own browser", async () => {
    site.forum.person = unique('person');
    const page = await open('/signin');
    await page.goto(`${site.url}/api/forumauth/authorize?nonce=nonce-of-the-stranger`);
    await expectIgnored(page);
    await press(page, 'Start again at the forum');
    await page.getByRole('heading', { name: 'Continue with your forum account' }).waitFor();
  });
});
