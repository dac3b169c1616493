import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../support/api/client.js';
import { PASSWORD } from '../../support/accounts.js';
import { expectAccessibleLayout } from '../../support/browser/chromium.js';
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
  // Without Redis the desk cannot see the locks, which the service then counts in its own memory.
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
  it('unlocks a locked account, with a reason', async () => {
    const login = (password: string) =>
      new Client(desk.site.url).post('/api/login', { account: data.account, password });
    for (let attempt = 0; attempt < 5; attempt++) await login('wrong');
    expect((await login(PASSWORD)).body.error).toBe('login_throttled');
    const page = await desk.open('sue', `/players?q=${data.account}`);
    await page.getByText(/The account, at one address: locked until \d\d:\d\d/).waitFor();
    await page.getByRole('button', { name: 'Unlock' }).click();
    const dialog = page.getByRole('dialog', { name: 'Unlock' });
    await dialog.getByText(`Ends the locks of ${data.account}`).waitFor();
    await dialog.getByRole('button', { name: 'Unlock' }).click();
    await dialog.getByText('Say why: the next shift will ask.').waitFor();
    await expectAccessibleLayout(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await act(page, 'Unlock', 'Unlock', HOSTILE);
    await page.getByText('Unlocked: the player can sign in again.').waitFor();
    expect((await login(PASSWORD)).status).toBe(200);
  });

  it('filters the timeline, and leads to everything about one request', async () => {
    const page = await desk.open('sue', `/players/${data.player}`);
    await page.getByText('Last entered server').waitFor();
    for (const kind of ['Sessions', 'Entries', 'Withdrawals', 'Links', 'Mails', 'Operators'])
      await page.getByRole('button', { name: kind, exact: true }).click();
    await page.getByText('Last entered server').waitFor({ state: 'hidden' });
    const signedIn = page.getByRole('listitem').filter({ hasText: 'Signed in by password' });
    await signedIn.filter({ hasText: '203.0.113.9' }).filter({ hasText: REQUEST_ID }).waitFor();
    await searchFor(page, `request:${REQUEST_ID}`);
    await heading(page, 'Request').waitFor();
    await page.getByText('Signed in by password').waitFor();
    await page.getByRole('link', { name: `To player ${data.player}` }).click();
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
    await dialog.getByLabel('The old name as the game writes it').fill(oldName);
    await dialog.getByLabel('Why').fill('markup');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await heading(page, 'renamed').waitFor();
    await page.getByText(oldName, { exact: true }).waitFor();
  });
});

describe('The start page of the desk', () => {
  it('shows what happens now and leads to the player whose password is guessed', async () => {
    const page = await desk.open('sue', '/');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('img', { name: /^Registrations: \d+ in the last 60 minutes/ }).waitFor();
    await page.getByRole('img', { name: /^Refused logins: [78]\d in/ }).waitFor();
    await page.getByRole('link', { name: /Sand Keep/ }).waitFor();
    const instance = page.getByRole('row', { name: /this host/ });
    await instance.getByText('up', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Accounts whose passwords are being guessed' }).click();
    await heading(page, data.account).waitFor();
    await page.getByText('198.51.100.7').first().waitFor();
  });
});

describe('The servers page', () => {
  it('closes several servers at once, and says what prevents a merge', async () => {
    const page = await desk.open('ada', '/servers');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Choose all 2' }).click();
    await page.getByRole('button', { name: 'Change the state of 2' }).click();
    await dialog.getByLabel('Why').fill('tonight');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Done. Players see it within a second.').waitFor();
    const states = await desk.site.database.query('SELECT DISTINCT status FROM server');
    expect(states).toEqual([{ status: 'maintenance' }]);

    await page.getByRole('button', { name: 'Merge Sand Keep' }).click();
    await dialog.getByLabel('Into which server').selectOption({ index: 1 });
    await dialog.getByText(`settle these withdrawals first: ${data.small}`).waitFor();
    await expectAccessibleLayout(page);
    await dialog.getByLabel('Why').fill('too few players');
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await dialog.getByText('Something still stands open.').waitFor();
  });
});

describe('The chat page', () => {
  it('finds lines by words and shows what was said around them', async () => {
    const page = await desk.open('mo', '/chat');
    await page.getByLabel('Words').fill('yuanbao');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('good night').waitFor({ state: 'hidden' });
    await page.getByText(`sell yuanbao ${HOSTILE}`).waitFor();
    await page.getByRole('button', { name: 'Around it' }).click();
    await page.getByRole('dialog').getByText('good night').waitFor();
    await expectAccessibleLayout(page);
  });
});

describe('The audit page', () => {
  it('finds what an operator did and exports it', async () => {
    const player = await desk.open('sue', `/players/${data.player}`);
    await act(player, 'Secure a stolen account', 'Secure', HOSTILE);
    await player.getByText('sue: secured').waitFor();

    const page = await desk.open('ada', '/audit');
    await page.getByLabel('Who').fill('sue');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('secured').first().waitFor();
    await page.getByText(HOSTILE).first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const file = await (await download).path();
    expect(readFileSync(file, 'utf8')).toContain(`player.secure,player ${data.player}`);
  });
});
