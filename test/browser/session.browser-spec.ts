import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { heading, openSignedIn, signIn } from '../support/browser/web-player.js';
import { WebTestbed } from '../support/browser/web-testbed.js';

let stage: WebTestbed;
const open = (path: string) => stage.chromium.open(stage.url + path);

beforeAll(async () => {
  stage = await WebTestbed.start();
  await stage.addServer({ name: 'Dragon Valley' });
});
afterEach(() => stage.chromium.expectNoComplaints());
afterAll(() => stage.stop());

describe('a guarded page', () => {
  it('leads to the sign-in and back', async () => {
    const account = await stage.createAccount();
    const page = await open('/withdraw');
    await page.waitForURL('**/signin?return_to=/withdraw');
    await signIn(page, account);
    await heading(page, 'Treasury').waitFor();
    expect(new URL(page.url()).pathname).toBe('/withdraw');
  });

  it.each([
    ['has run out', (page: { evaluate(code: string): Promise<unknown> }) => page.evaluate(EXPIRE)],
    ['was revoked', () => stage.sql('UPDATE player SET ver = ver + 1')],
  ])('says so when the session %s, and leads back after', async (_, end) => {
    const account = await stage.createAccount();
    const page = await open('/withdraw');
    // An answer on its way would tell of the end before the page is loaded anew.
    const asked = ['**/api/game/withdraw?*', '**/api/game/roles?*'];
    const answered = Promise.all(asked.map((url) => page.waitForResponse(url)));
    await signIn(page, account);
    await answered;
    await end(page);
    await page.reload();
    await page.getByText('Your session has ended.').waitFor();
    expect(await page.evaluate("sessionStorage.getItem('CQ-TOKEN')")).toBeNull();
    await signIn(page, account);
    await heading(page, 'Treasury').waitFor();
  });

  it.each([
    ['ahead', 1],
    ['behind', -1],
  ])('is open to a player whose clock is a day and an hour %s', async (_, direction) => {
    const account = await stage.createAccount();
    const page = await open('/signin');
    await page.clock.setFixedTime(Date.now() + direction * 25 * 3600_000);
    await page.goto(`${stage.url}/withdraw`);
    await signIn(page, account);
    await heading(page, 'Treasury').waitFor();
    await page.reload();
    await heading(page, 'Treasury').waitFor();
    await page.getByRole('link', { name: 'Realms' }).click();
    await heading(page, 'Choose your realm').waitFor();
  });

  it('is left by signing out', async () => {
    const { page } = await openSignedIn(stage, '/');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.goto(`${stage.url}/`);
    await page.waitForURL('**/signin');
  });
});

// The token itself stays valid: the page alone can tell that its time is over.
const EXPIRE = "sessionStorage.setItem('CQ-TOKEN-ENDS', String(Date.now()))";
