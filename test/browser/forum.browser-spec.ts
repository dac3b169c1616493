import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { Browser } from '../support/api/browser.js';
import { expectAccessibleLayout } from '../support/browser/chromium.js';
import { PASSWORD, unique } from '../support/api/factories.js';
import { sendJson } from '../support/servers/plain-forum.js';
import {
  expectTokenOnlyInSessionStorage,
  heading,
  openSignedIn,
  signIn,
} from '../support/browser/web-player.js';
import { WebTestbed } from '../support/browser/web-testbed.js';

let stage: WebTestbed;
const open = (path: string) => stage.chromium.open(stage.url + path);
const NONCE = 'a-nonce-of-this-tab';
/** What the page itself does before it leaves for the forum. */
const setOut = (page: Page) =>
  page.evaluate(`sessionStorage.setItem('CQ-FORUM-NONCE', '${NONCE}')`);
const forumNotes = (page: Page) =>
  page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('CQ-FORUM'))");

beforeAll(async () => {
  stage = await WebTestbed.start();
});
afterEach(() => stage.chromium.expectNoComplaints());
afterAll(() => stage.stop());

describe('the forum', () => {
  const throughTheForum = async (page: Page) => {
    await page.getByRole('button', { name: 'Continue with the forum' }).click();
    // The page shows this only after it has read the fragment.
    await page.getByRole('heading', { name: 'The forum knows you' }).waitFor();
    expect(page.url()).not.toContain('#');
  };

  const strangersTicket = async (person: string, nonce?: string) => {
    stage.forum.person = person;
    const landing = `${stage.url}/signin#`;
    const start = `${stage.url}/api/forumauth/authorize${nonce ? `?nonce=${nonce}` : ''}`;
    const address = await new Browser().follow(start, landing);
    return new URLSearchParams(address.slice(landing.length)).get('ticket');
  };

  it('creates an account, and opens it the next time', async () => {
    stage.forum.person = unique('person');
    const page = await open('/withdraw');
    await throughTheForum(page);
    await expectAccessibleLayout(page);
    // A way back, and what creating an account means.
    await page.getByRole('button', { name: 'Back, without the forum' }).click();
    await throughTheForum(page);
    await page.getByText('By creating an account you accept the User agreement.').waitFor();
    await page.getByRole('button', { name: 'Create a new account' }).click();
    await heading(page, 'Treasury').waitFor();
    await expectTokenOnlyInSessionStorage(page);
    await page.getByRole('link', { name: 'Realms' }).click();
    const greeting = await page.getByText(/^Welcome, forum_/).textContent();

    const again = await open('/signin');
    await throughTheForum(again);
    await again.getByRole('button', { name: 'Go on with the forum' }).click();
    await heading(again, 'Choose your realm').waitFor();
    expect(await again.getByText(/^Welcome, forum_/).textContent()).toBe(greeting);
  });

  it('is linked to an account that one has; a wrong password does not spoil it', async () => {
    stage.forum.person = unique('person');
    const account = await stage.createAccount();
    const page = await open('/signin');
    await throughTheForum(page);
    await page.getByRole('button', { name: 'Link an account I have' }).click();
    await page.getByText('Only if you started this yourself just now.').waitFor();
    await expectAccessibleLayout(page);
    await page.getByLabel('Account').fill(account);
    await page.getByLabel('Password', { exact: true }).fill('wrong password');
    await page.keyboard.press('Enter');
    await page.getByText('Account and password do not match.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText(`Your forum account is now linked to ${account}.`).waitFor();

    const again = await open('/signin');
    await throughTheForum(again);
    await again.getByRole('button', { name: 'Go on with the forum' }).click();
    await again.getByText(`Welcome, ${account}`).waitFor();
  });

  it('is linked to the account that is signed in', async () => {
    stage.forum.person = unique('person');
    const { page, account } = await openSignedIn(stage, '/');
    await page.getByRole('button', { name: 'Forum account: Link' }).click();
    await page.getByRole('button', { name: `Link to ${account}` }).click();
    await page.getByText(`Your forum account is now linked to ${account}.`).waitFor();
    await page.getByText('Linked since').waitFor();
  });

  it('waits where one came back to, also over a reload', async () => {
    stage.forum.person = unique('person');
    const { page, account } = await openSignedIn(stage, '/');
    await page.getByRole('button', { name: 'Forum account: Link' }).click();
    const link = page.getByRole('button', { name: `Link to ${account}` });
    await link.waitFor();
    await page.reload();
    await link.click();
    await page.getByText(`Your forum account is now linked to ${account}.`).waitFor();
    expect(await forumNotes(page)).toEqual([]);
  });

  it('is forgotten with the page that one came back to', async () => {
    stage.forum.person = unique('person');
    const page = await open('/signin');
    await throughTheForum(page);
    await page.goto(`${stage.url}/agree`);
    await page.goto(`${stage.url}/signin`);
    await page.getByRole('button', { name: 'Enter the gate' }).waitFor();
    expect(await forumNotes(page)).toEqual([]);
  });

  describe('in a link that somebody else made', () => {
    const linksOf = (connectId: string) =>
      stage.sql('SELECT * FROM player_connect_threeparty WHERE connect_id = ?', [connectId]);
    const expectDropped = async (page: Page) => {
      await page.getByText('This sign-in was not started in this tab').waitFor();
      expect(page.url()).toBe(`${stage.url}/signin`);
      expect(await page.getByRole('button', { name: /Link|Create|Go on/ }).count()).toBe(0);
      expect(await page.getByLabel('Password').count()).toBe(0);
    };

    it.each(['linked=0', 'linked=1', 'linked=0&return_to=%2Fwithdraw'])(
      'is dropped (%s)',
      async (more) => {
        const stranger = unique('person');
        const page = await open('/agree');
        for (const nonce of [undefined, 'nonce-of-the-stranger']) {
          const ticket = await strangersTicket(stranger, nonce);
          await page.goto(`${stage.url}/signin#ticket=${ticket}&${more}&nonce=${nonce ?? ''}`);
          await expectDropped(page);
          await page.getByRole('button', { name: 'Another way' }).click();
          await page.getByRole('button', { name: 'Enter the gate' }).waitFor();
          await page.goto(`${stage.url}/agree`);
        }
        expect(await linksOf(stranger)).toEqual([]);
      },
    );

    it('is dropped for whoever is signed in, and does not come back', async () => {
      const stranger = unique('person');
      const ticket = await strangersTicket(stranger);
      const { page } = await openSignedIn(stage, '/');
      await page.goto(`${stage.url}/signin#ticket=${ticket}&linked=0`);
      await expectDropped(page);
      await expectAccessibleLayout(page);
      await page.reload();
      await heading(page, 'Choose your realm').waitFor();
      expect(await linksOf(stranger)).toEqual([]);
    });

    it('does not spoil a login that is under way in the tab', async () => {
      const ticket = await strangersTicket(unique('person'));
      const page = await open('/signin');
      await setOut(page);
      await page.goto(`${stage.url}/agree`);
      await page.goto(`${stage.url}/signin#ticket=${ticket}&linked=0`);
      await expectDropped(page);
      await page.goto(`${stage.url}/api/forumauth/authorize?nonce=${NONCE}`);
      await page.getByRole('heading', { name: 'The forum knows you' }).waitFor();
    });

    it('is dropped also where it goes through the forum in the player’s own browser', async () => {
      stage.forum.person = unique('person');
      const page = await open('/signin');
      await page.goto(`${stage.url}/api/forumauth/authorize?nonce=nonce-of-the-stranger`);
      await expectDropped(page);
      await expectAccessibleLayout(page);
      await page.getByRole('button', { name: 'Start again at the forum' }).click();
      await page.getByRole('heading', { name: 'The forum knows you' }).waitFor();
    });
  });

  it('may fail, and another way leads to where one wanted to go', async () => {
    const page = await open('/withdraw');
    stage.forum.token = (_request, response) => sendJson(response, {}, 500);
    await page.getByRole('button', { name: 'Continue with the forum' }).click();
    await page.getByText('The forum does not answer.').waitFor();
    expect(page.url()).not.toContain('#');
    await page.getByRole('button', { name: 'Start again at the forum' }).click();
    await page.getByText('The forum does not answer.').waitFor();
    await page.getByRole('button', { name: 'Another way' }).click();
    await signIn(page, await stage.createAccount());
    await heading(page, 'Treasury').waitFor();
    stage.forum.behave();
  });

  it('may fail, and says why', async () => {
    const page = await open('/signin#error=forum_denied&return_to=%2F%2Fevil.example');
    await page.getByText('The forum sign-in took too long').waitFor();
    expect(page.url()).not.toContain('#');
    await page.getByRole('button', { name: 'Another way' }).click();
    await setOut(page);
    await page.goto(`${stage.url}/agree`);
    await page.goto(`${stage.url}/signin#ticket=forged&linked=0&nonce=${NONCE}`);
    await page.getByRole('button', { name: 'Create a new account' }).click();
    await page.getByText('The forum’s confirmation has expired').waitFor();
    await page.getByRole('button', { name: 'Start again at the forum' }).waitFor();
    expect(await forumNotes(page)).toEqual([]);
  });
});
