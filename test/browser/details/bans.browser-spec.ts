import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import { expectAccessibleLayout } from '../../support/browser/chromium.js';
import { DeskTestbed } from '../../support/browser/desk-testbed.js';
import { openSignedIn, signIn } from '../../support/browser/player-actions.js';
import type { WebTestbed } from '../../support/browser/web-testbed.js';
import { PASSWORD } from '../../support/accounts.js';

const SUPPORT = 'https://game.example/support';
const PHONE = { width: 375, height: 740 };
let desk: DeskTestbed;
let site: WebTestbed;

beforeAll(async () => {
  desk = await DeskTestbed.start();
  site = desk.site;
  await site.addServer({ name: 'Dragon Valley' });
  await site.changeSettings({ support_url: SUPPORT });
});
afterEach(() => site.chromium.closeAndExpectNoProblems());
afterAll(() => desk.stop());

async function ban(account: string, columns: object = {}): Promise<void> {
  const { id } = await site.player(account);
  await site.database.insert('player_ban', { player_id: id, reason: 'Botting', ...columns });
}

describe('A banned player', () => {
  it("sees the ban's reason, its end and how to appeal when signing in, in both languages", async () => {
    const account = await site.createAccount();
    await ban(account, { until: '2099-12-01 10:00:00' });
    const page = await site.chromium.open(`${site.url}/signin`);
    await signIn(page, account);
    const alert = page.getByRole('alert');
    await alert.getByText('This account is banned.').waitFor();
    await alert.getByText('Reason: Botting').waitFor();
    await alert.getByText(/^Until .*2099/).waitFor();
    await alert.locator(`a[href="${SUPPORT}"]`).waitFor();
    await expectAccessibleLayout(page);
    const phone = await site.chromium.open(`${site.url}/signin`, { ...PHONE, language: 'zh-CN' });
    await phone.locator('[name=account]').fill(account);
    await phone.locator('[name=password]').fill(PASSWORD);
    await phone.locator('[type=submit]').click();
    await phone.getByRole('alert').getByText('原因：Botting').waitFor();
    await expectAccessibleLayout(phone);
  });

  it("sees the ban's reason and end as soon as the session ends", async () => {
    const { page, account } = await openSignedIn(site, '/account');
    // Otherwise, a request from the current page could fail because of the ban and end the session too early.
    await page.goto('about:blank');
    await ban(account);
    await page.goto(`${site.url}/withdraw`);
    await page.getByText('Reason: Botting').waitFor();
    await page.getByText('Permanent', { exact: true }).waitFor();
  });

  it('sees a withdrawal ban on the withdrawal page', async () => {
    const account = await site.createAccount();
    await ban(account, { scope: 'withdraw' });
    const { page } = await openSignedIn(site, '/withdraw', account);
    await page.getByText('This account may not withdraw.').waitFor();
    await page.getByText('Reason: Botting').waitFor();
    await expectAccessibleLayout(page);
  });
});

describe('The desk', () => {
  it('bans a player for a preset time, shows the history, and finds banned players', async () => {
    const account = await site.createAccount();
    const { id } = await site.player(account);
    await ban(account, { scope: 'withdraw' });
    const page = await desk.open('mo', `/players/${id}`);
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Message to the player').fill('Gold selling');
    await dialog.getByLabel('Duration').selectOption({ label: '7 days' });
    await dialog.getByLabel('Internal note', { exact: true }).fill('ticket 811');
    await expectAccessibleLayout(page);
    await dialog.getByRole('button', { name: 'Ban' }).click();
    await page.getByText('Banned.', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Bans' }).waitFor();
    await page.getByText('Gold selling', { exact: true }).waitFor();
    await expectAccessibleLayout(page);
    const phone = await desk.open('mo', `/players/${id}`, PHONE);
    await phone.getByText('Gold selling', { exact: true }).waitFor();
    await expectAccessibleLayout(phone);
    const list = await desk.open('sue', '/players?q=banned:');
    await list.getByRole('link', { name: account }).waitFor();
    await expectAccessibleLayout(list);
    const now = await desk.open('sue', '/');
    await now.getByText('Banned players').waitFor();
    await page.getByRole('button', { name: 'Lift bans' }).click();
    await page.getByRole('dialog').getByLabel('Internal note').fill('appeal');
    await page.getByRole('dialog').getByRole('button', { name: 'Lift' }).click();
    await page.getByText('Bans lifted.').waitFor();
    await page.getByText('was permanent').waitFor();
  });
});
