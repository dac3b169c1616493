import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../support/api/client.js';
import { PASSWORD } from '../../support/accounts.js';
import { expectAccessibleLayout, expectReadableIn } from '../../support/browser/chromium.js';
import {
  createDeskFixture,
  type DeskFixture,
  HOSTILE,
  REQUEST_ID,
} from '../../support/browser/desk-fixture.js';
import { act, DeskTestbed, searchFor } from '../../support/browser/desk-testbed.js';
import { heading } from '../../support/browser/player-actions.js';
import { type Redis, startRedis } from '../../support/servers/redis.js';

let redis: Redis;
let desk: DeskTestbed;
let data: DeskFixture;

beforeAll(async () => {
  // Without Redis, the desk could not see the locks because the service would keep them in memory.
  redis = await startRedis();
  desk = await DeskTestbed.start({ REDIS_URL: redis.url });
  data = await createDeskFixture(desk.site);
});
afterEach(() => desk.site.chromium.closeAndExpectNoProblems());
afterAll(async () => {
  await desk.stop();
  await redis.stop();
});

describe('The player page', () => {
  it('unlocks a locked account with a reason', async () => {
    const login = (password: string) =>
      new Client(desk.site.url).post('/api/login', { account: data.account, password });
    // This login makes the address known, so locking the account at this address keeps the player out.
    expect((await login(PASSWORD)).status).toBe(200);
    for (let attempt = 0; attempt < 5; attempt++) await login('wrong');
    expect((await login(PASSWORD)).body.error).toBe('login_throttled');
    const page = await desk.open('sue', `/players?q=${data.account}`);
    await page.getByText(`${data.account} cannot sign in, but can still withdraw`).waitFor();
    await page
      .getByText(/The account, at an address that .* 30 days: locked until \d\d:/)
      .waitFor();
    await page.getByRole('button', { name: 'Unlock' }).click();
    const dialog = page.getByRole('dialog', { name: 'Unlock' });
    await dialog.getByText(`Ends the locks of ${data.account}`).waitFor();
    await dialog.getByRole('button', { name: 'Unlock' }).click();
    await dialog.getByText('Please enter an internal note.').waitFor();
    await expectAccessibleLayout(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await act(page, 'Unlock', 'Unlock', HOSTILE);
    await page.getByText('Unlocked: the player can sign in again.').waitFor();
    expect((await login(PASSWORD)).status).toBe(200);
  });

  it('filters the timeline, and leads to all events of one request', async () => {
    const page = await desk.open('sue', `/players/${data.player}`);
    await page.getByText('Last entered server').waitFor();
    const kind = (name: string) => page.getByRole('button', { name, exact: true });
    await kind('Logins').click();
    await page.getByText('Last entered server').waitFor({ state: 'hidden' });
    await kind('Entries').click();
    await page.getByText('Last entered server').waitFor();
    await kind('Show all').click();
    await page.getByText('Linked forum').waitFor();
    await kind('Logins').click();
    await page.getByText('Linked forum').waitFor({ state: 'hidden' });
    const signedIn = page.getByRole('listitem').filter({ hasText: 'Signed in by password' });
    await signedIn.filter({ hasText: '203.0.113.9' }).filter({ hasText: REQUEST_ID }).waitFor();
    await searchFor(page, `request:${REQUEST_ID}`);
    await heading(page, 'Request').waitFor();
    await page.getByText('Signed in by password').waitFor();
    await page.getByRole('link', { name: `Go to player ${data.player}` }).click();
    await heading(page, data.account).waitFor();
  });

  it('renames the player, and closes the dialog when another player is opened', async () => {
    const page = await desk.open('mo', `/players/${data.player}`);
    await searchFor(page, `id:${data.hostile}`);
    await heading(page, HOSTILE).waitFor();
    const dialog = page.getByRole('dialog', { name: 'Rename' });
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await dialog.waitFor();
    await page.goBack();
    await heading(page, data.account).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.goForward();
    await heading(page, HOSTILE).waitFor();
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    const oldName = HOSTILE.toUpperCase();
    await dialog.getByLabel('New name').fill('renamed');
    await dialog.getByLabel('The old name as spelled in the game').fill(oldName);
    await dialog.getByLabel('Internal note').fill('markup');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await heading(page, 'renamed').waitFor();
    await page.getByText(oldName, { exact: true }).waitFor();
  });
});

describe("The desk's start page", () => {
  it('shows current events and leads to the player whose password is being guessed', async () => {
    const page = await desk.open('sue', '/');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('img', { name: /^Registrations: \d+ in the last 60 minutes/ }).waitFor();
    await page.getByRole('img', { name: /^Refused logins: [78]\d in/ }).waitFor();
    await page.getByRole('link', { name: 'Withdrawals with unknown outcome' }).waitFor();
    const instance = page.getByRole('row', { name: /this host/ });
    await instance.getByText('up', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Accounts whose password is being guessed' }).click();
    await heading(page, 'Guessing').waitFor();
    await page.getByRole('table', { name: 'Accounts' }).getByRole('link').first().click();
    await heading(page, data.account).waitFor();
    await page.getByText('198.51.100.7').first().waitFor();
  });
});

describe('The servers page', () => {
  it('marks each mistake in a new server once, at its field, in words', async () => {
    const page = await desk.open('ada', '/servers');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add a server' }).click();
    await dialog.getByText('Shown once all fields are valid.').waitFor();
    const marked = dialog.locator('[aria-invalid]');
    expect(await marked.count()).toBe(0);
    await dialog.getByLabel('Port', { exact: true }).fill('80x');
    await dialog.getByText('Port must be a whole number from 1 to 65535.').waitFor();
    expect(await marked.count()).toBe(1);
    await dialog.getByLabel('Port', { exact: true }).fill('7000');
    await dialog.getByLabel('GM path').fill('gm');
    await dialog.getByLabel('Internal note').fill('a new one');
    await dialog.getByText('GM path does not start with /.').waitFor();
    await dialog.getByRole('button', { name: 'Add a server' }).click();
    await dialog.getByText('Please correct the marked fields.').waitFor();
    const problems = await dialog.locator('.field__problem').allInnerTexts();
    expect(problems).toEqual([
      'Name is empty.',
      'Address is empty.',
      'GM path does not start with /.',
      'Please correct the marked fields.',
    ]);
    await expectAccessibleLayout(page);
  });

  it("keeps each server's buttons visible at 1280 px", async () => {
    const host = `${'long-'.repeat(12)}name.example.com`;
    await desk.site.database.query(`UPDATE server SET gm_address = '${host}'`);
    const page = await desk.open('ada', '/servers', { width: 1280 });
    const button = page.getByRole('button', { name: 'Merge Sand Keep' });
    const { x, width } = (await button.boundingBox())!;
    expect(x + width).toBeLessThan(1280);
    await expectAccessibleLayout(page);
    await desk.site.database.query('UPDATE server SET gm_address = NULL');
  });

  it('closes several servers together only after the operator types their number', async () => {
    const page = await desk.open('ada', '/servers');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Select all 2' }).click();
    await page.getByRole('button', { name: 'Change status (2)' }).click();
    await dialog.getByLabel('Internal note').fill('tonight');
    const submit = dialog.locator('button.button--danger');
    await submit.getByText('Set 2 to “maintenance”').click();
    await dialog.getByText('This is not 2.').waitFor();
    await expectAccessibleLayout(page);
    await expectReadableIn(page, 'dark');
    await dialog.getByLabel('Type 2 to confirm').fill('2');
    await submit.click();
    await page.getByText(/^Done\. It takes effect/).waitFor();
    const states = await desk.site.database.query('SELECT DISTINCT status FROM server');
    expect(states).toEqual([{ status: 'maintenance' }]);
  });

  it('merges a server only after every obstacle is removed, its name is typed and a second admin approves', async () => {
    const { database } = desk.site;
    await database.query("UPDATE server SET status = 'maintenance'");
    const page = await desk.open('ada', '/servers');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Merge Sand Keep' }).click();
    const submit = dialog.getByRole('button', { name: 'Merge', exact: true, disabled: true });
    await submit.waitFor();
    await dialog.getByText('Not possible now: Choose the target server first.').waitFor();
    await dialog.getByLabel('Target server').selectOption({ index: 1 });
    await dialog.getByText(`settle these withdrawals first: ${data.small}`).waitFor();
    await dialog.getByText('Not possible now: Some steps are still open.').waitFor();
    await dialog.getByLabel('Internal note').fill('too few players');
    await dialog.getByLabel('Type Sand Keep to confirm').fill('Sand');
    await submit.click({ force: true });
    await expectAccessibleLayout(page);
    await database.query("UPDATE withdraw SET status = 'failed' WHERE status = 'unknown'");
    await dialog.getByRole('button', { name: 'Check again' }).click();
    await dialog.locator('button.button--danger:not([aria-disabled])').click();
    await dialog.getByText('This is not Sand Keep.').waitFor();
    await dialog.getByLabel('Type Sand Keep to confirm').fill('Sand Keep');
    await dialog.locator('button.button--danger').click();
    await page.getByText('This is your proposal.').waitFor();
    const second = await desk.open('alan', '/servers');
    await act(second, 'Approve', 'Approve', 'their players agreed');
    await second.getByText(/^Done\. It takes effect/).waitFor();
    await second.getByText(/^merged into/).waitFor();
  });
});

describe('The Chinese desk', () => {
  it('explains in Chinese what prevents a merge and what is wrong with a field', async () => {
    await desk.site.database.query("UPDATE server SET status = 'normal', merged_into = NULL");
    const page = await desk.open('ada', '/servers', { language: 'zh-CN', width: 360 });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: '合服 Sand Keep' }).click();
    await dialog.getByLabel('并入哪个区服').selectOption({ index: 1 });
    await dialog.getByText(`区服 ${data.server} 的状态是开放：需要先进入维护`).waitFor();
    expect(
      await dialog
        .locator('.open')
        .getByText(/maintenance|settle/)
        .count(),
    ).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '编辑 Sand Keep' }).click();
    await dialog.getByLabel('端口', { exact: true }).fill('80x');
    await dialog.getByText('端口必须是 1 到 65535 的整数。').waitFor();
    await expectAccessibleLayout(page);
  });
});

describe('The chat page', () => {
  it('finds lines by words and shows the messages around them', async () => {
    const page = await desk.open('mo', '/chat');
    await page.getByLabel('Words').fill('yuanbao');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('good night').waitFor({ state: 'hidden' });
    await page.getByText(`sell yuanbao ${HOSTILE}`).waitFor();
    await page.getByRole('button', { name: 'Context' }).click();
    await page.getByRole('dialog').getByText('good night').waitFor();
    await expectAccessibleLayout(page);
  });
});

describe('The audit page', () => {
  it("finds an operator's actions and exports them", async () => {
    const player = await desk.open('sue', `/players/${data.player}`);
    await act(player, 'Secure a stolen account', 'Secure account', HOSTILE);
    await player.getByText('sue secured the account').waitFor();

    const page = await desk.open('ada', '/audit');
    await page.getByLabel('Operator').fill('sue');
    await page.getByLabel('Subject').fill(data.account);
    await page.getByLabel('Action', { exact: true }).selectOption('player: secured the account');
    await expectAccessibleLayout(page);
    await page.getByRole('listitem').getByText('secured').first().waitFor();
    await page.getByText(HOSTILE).first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const file = await (await download).path();
    expect(readFileSync(file, 'utf8')).toContain(`player.secure,player ${data.player}`);
  });
});
