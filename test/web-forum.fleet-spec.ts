import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { Browser } from './support/browser.js';
import { expectGoodLook } from './support/chromium.js';
import { PASSWORD, unique } from './support/factories.js';
import { expectTokenInItsPlace, heading, openSignedIn, signIn } from './support/web-player.js';
import { WebStage } from './support/web-stage.js';

let stage: WebStage;
const open = (path: string) => stage.chromium.open(stage.url + path);

beforeAll(async () => {
  stage = await WebStage.start();
});
afterEach(() => stage.chromium.expectSilence());
afterAll(() => stage.stop());

describe('the forum', () => {
  const throughTheForum = async (page: Page) => {
    await page.getByRole('link', { name: 'Continue with the forum' }).click();
    // The page shows this only after it has read the fragment.
    await page.getByRole('heading', { name: 'The forum knows you' }).waitFor();
    expect(page.url()).not.toContain('#');
  };

  const strangersTicket = async (person: string) => {
    stage.forum.person = person;
    const landing = `${stage.url}/signin#`;
    const address = await new Browser().follow(`${stage.url}/api/forumauth/authorize`, landing);
    return new URLSearchParams(address.slice(landing.length)).get('ticket');
  };

  it('creates an account, and opens it the next time', async () => {
    stage.forum.person = unique('person');
    const page = await open('/withdraw');
    await throughTheForum(page);
    await expectGoodLook(page);
    await page.getByRole('button', { name: 'Create a new account' }).click();
    await heading(page, 'Treasury').waitFor();
    await expectTokenInItsPlace(page);
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
    await page.getByRole('link', { name: 'Forum account: Link' }).click();
    await page.getByRole('button', { name: `Link to ${account}` }).click();
    await page.getByText(`Your forum account is now linked to ${account}.`).waitFor();
    await page.getByText('Linked since').waitFor();
  });

  describe('in a link that somebody else made', () => {
    const bindsOf = (page: Page) => {
      const binds: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/api/forumauth/bind')) binds.push(request.url());
      });
      return async () => {
        // Requests are told of in their order: after this one, all that the page sent before it.
        await page.evaluate("fetch('/api/health/live').then(({ status }) => status)");
        return binds;
      };
    };
    const linksOf = (connectId: string) =>
      stage.sql('SELECT * FROM player_connect_threeparty WHERE connect_id = ?', [connectId]);

    it('does not take over the account that is signed in', async () => {
      const stranger = unique('person');
      const ticket = await strangersTicket(stranger);
      const { page, account } = await openSignedIn(stage, '/');
      const binds = bindsOf(page);
      await page.goto(`${stage.url}/signin#ticket=${ticket}&linked=1`);
      await page.getByText('Only if you started this yourself just now.').waitFor();
      await expectGoodLook(page);
      expect(await binds()).toEqual([]);
      expect(await linksOf(stranger)).toEqual([]);

      await page.getByRole('button', { name: `Link to ${account}` }).click();
      await page.getByText(`Your forum account is now linked to ${account}.`).waitFor();
      expect(await linksOf(stranger)).toHaveLength(1);
    });

    it('signs nobody in', async () => {
      const stranger = unique('person');
      const ticket = await strangersTicket(stranger);
      const page = await open('/agree');
      const binds = bindsOf(page);
      await page.goto(`${stage.url}/signin#ticket=${ticket}&linked=1`);
      await page.getByRole('button', { name: 'Go on with the forum' }).waitFor();
      await expectGoodLook(page);
      expect(await binds()).toEqual([]);
      expect(await linksOf(stranger)).toEqual([]);
      expect(await page.evaluate("sessionStorage.getItem('CQ-TOKEN')")).toBeNull();
    });
  });

  it('may fail, and another way leads to where one wanted to go', async () => {
    const page = await open('/signin#error=forum_denied&return_to=%2Fwithdraw');
    const again = page.getByRole('link', { name: 'Start again at the forum' });
    expect(await again.getAttribute('href')).toBe('/api/forumauth/authorize?return_to=%2Fwithdraw');
    await page.getByRole('button', { name: 'Another way' }).click();
    await signIn(page, await stage.createAccount());
    await heading(page, 'Treasury').waitFor();

    await page.goto(`${stage.url}/signin#error=forum_denied&return_to=%2F%2Fevil.example`);
    await page.getByRole('button', { name: 'Another way' }).click();
    await heading(page, 'Choose your realm').waitFor();
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
