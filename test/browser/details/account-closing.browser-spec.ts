import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newMailbox, PASSWORD, unique } from '../../support/accounts.js';
import { expectAccessibleLayout } from '../../support/browser/chromium.js';
import { DeskTestbed } from '../../support/browser/desk-testbed.js';
import { continueWithForum, openSignedIn, press } from '../../support/browser/player-actions.js';
import type { WebTestbed } from '../../support/browser/web-testbed.js';

let desk: DeskTestbed;
let site: WebTestbed;

beforeAll(async () => {
  desk = await DeskTestbed.start();
  site = desk.site;
  await site.addServer({ name: 'Dragon Valley' });
});
afterEach(() => site.chromium.closeAndExpectNoProblems());
afterAll(() => desk.stop());

describe('A player who closes the account', () => {
  it('sees what is deleted and what remains, enters the password once, and sees the date on every page', async () => {
    const account = await site.createAccount(newMailbox());
    const { page } = await openSignedIn(site, '/account', account);
    await site.ageConfirmations();
    await press(page, 'Account: Close my account');
    await page.getByText('What will be deleted').waitFor();
    await page.getByText('You have 7 days to change your mind').waitFor();
    await page.getByLabel('Current password').fill('wrong password');
    const submit = page.locator('form').getByRole('button', { name: 'Close my account' });
    await submit.click();
    await page.getByText('This is not your current password.').waitFor();
    await expectAccessibleLayout(page);
    await page.getByLabel('Current password').fill(PASSWORD);
    await submit.click();
    const banner = page.getByText(/This account will be closed on .*20\d\d/);
    await banner.waitFor();
    await page.getByText(/^Will be closed on/).waitFor();
    await page.goto(`${site.url}/withdraw`);
    await banner.waitFor();
    await page.goto(`${site.url}/`);
    await banner.waitFor();
    await expectAccessibleLayout(page);
    await press(page, 'Keep my account');
    await banner.waitFor({ state: 'detached' });
    expect((await site.player(account)).closing_at).toBeNull();
  });

  it('needs no password if the account has none, on a phone and in Chinese', async () => {
    site.forum.person = unique('person');
    const page = await site.chromium.open(`${site.url}/signin`, { width: 320, height: 700 });
    await continueWithForum(page);
    await press(page, 'Create a new account');
    await page.getByText('Welcome.').waitFor();
    await page.goto(`${site.url}/account`);
    await page.getByRole('button', { name: '中文' }).first().click();
    await press(page, '账号：注销账号');
    await page.getByText('将被删除的内容').waitFor();
    await expectAccessibleLayout(page);
    await page.locator('form').getByRole('button', { name: '注销账号' }).click();
    await page.getByText(/此账号将于 .* 注销/).waitFor();
    await expectAccessibleLayout(page);
  });
});

describe("A player who requests the account's data", () => {
  it('gets a file, and another one only a day later', async () => {
    const account = await site.createAccount(newMailbox());
    const { page } = await openSignedIn(site, '/account', account);
    const downloading = page.waitForEvent('download');
    await press(page, 'Download my data');
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`gatehouse-${account}.json`);
    const file = JSON.parse(readFileSync(await download.path(), 'utf8'));
    expect(file.profile.account).toBe(account);
    await page.getByText('The file is in your downloads.').waitFor();
    await press(page, 'Download my data');
    await page.getByText('Please try again later.', { exact: false }).waitFor();
    await expectAccessibleLayout(page);
  });
});

describe('The desk', () => {
  it('finds accounts scheduled for closing, shows the date and cancels a closing', async () => {
    const account = await site.createAccount();
    const { id } = await site.player(account);
    const closing = "UPDATE player SET closing_at = '2099-12-01 10:00:00.000' WHERE id = ?";
    await site.database.query(closing, [id]);
    const page = await desk.open('mo', '/players?q=closing:');
    await page.getByText('Closes on', { exact: false }).first().waitFor();
    await expectAccessibleLayout(page);
    await page.getByRole('link', { name: account }).click();
    await page.getByRole('button', { name: 'Stop closing' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Internal note').fill('ticket 812');
    await dialog.getByRole('button', { name: 'Keep the account' }).click();
    await page.getByText('Closing stopped.').waitFor();
    expect((await site.player(account)).closing_at).toBeNull();
  });
});
