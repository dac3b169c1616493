import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleLayout } from '../support/browser/chromium.js';
import { Client } from '../support/api/client.js';
import { DeskTestbed } from '../support/browser/desk-testbed.js';
import { createDeskFixture, HOSTILE, type DeskFixture } from '../support/browser/desk-fixture.js';
import { PASSWORD } from '../support/api/factories.js';
import { heading } from '../support/browser/web-player.js';

let desk: DeskTestbed;
let night: DeskFixture;

beforeAll(async () => {
  desk = await DeskTestbed.start();
  night = await createDeskFixture(desk.stage);
  await desk.ready();
});
afterEach(() => desk.stage.chromium.expectNoComplaints());
afterAll(() => desk.stop());

const login = (password: string) =>
  new Client(desk.stage.url).post(
    '/api/login',
    { account: night.account, password },
    { from: '192.0.2.50' },
  );

/** The one way to a player: what the caller says, typed into the search. */
async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** An act: its button, why, and then the deed. */
async function act(page: Page, name: string, submit: string, note = HOSTILE): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').getByLabel('Why').fill(note);
  await page.getByRole('dialog').getByRole('button', { name: submit, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

describe('a question of a night is answered by clicks:', () => {
  it('where is my withdrawal, and what happened to it', async () => {
    const page = await desk.open('sue', '/');
    await heading(page, 'Now').waitFor();
    await search(page, night.account);
    await heading(page, night.account).waitFor();
    await page.getByRole('link', { name: `#${night.large}`, exact: true }).click();
    await heading(page, `Withdrawal #${night.large}: 25,000`).waitFor();
    await page.getByText(`the game server said ${HOSTILE}`).waitFor();
    await page.getByText('by the game server’s answer').waitFor();
  });

  it('why can X not log in: locked, and unlocked with a reason', async () => {
    for (let tries = 0; tries < 5; tries++) await login('wrong');
    expect((await login(PASSWORD)).body.error).toBe('login_throttled');
    const page = await desk.open('sue', `/players?q=${night.account}`);
    await page.getByText(/The account, at one address: locked until \d\d:\d\d/).waitFor();
    await page.getByRole('button', { name: 'Unlock' }).click();
    const dialog = page.getByRole('dialog', { name: 'Unlock' });
    await dialog.getByText(`Ends the locks of ${night.account}`).waitFor();
    await dialog.getByRole('button', { name: 'Unlock' }).click();
    await dialog.getByText('Say why: the next shift will ask.').waitFor();
    await expectAccessibleLayout(page);
    await page.keyboard.press('Escape');
    // Hidden is too early: the page has to know of it before the next one opens.
    await dialog.waitFor({ state: 'detached' });
    await act(page, 'Unlock', 'Unlock');
    await page.getByText('Unlocked: the player can sign in again.').waitFor();
    expect((await login(PASSWORD)).status).toBe(200);
  });

  it('who logged in as X and from where, and with which request', async () => {
    const page = await desk.open('sue', `/players/${night.player}`);
    for (const kind of ['Sessions', 'Entries', 'Withdrawals', 'Links', 'Mails', 'Operators'])
      await page.getByRole('button', { name: kind, exact: true }).click();
    const good = page.getByRole('listitem').filter({ hasText: 'Signed in by password' });
    await good.filter({ hasText: '203.0.113.9' }).waitFor();
    await good.filter({ hasText: 'request-of-the-night' }).waitFor();
    await page.getByText('Refused 70 times by password: wrong password').waitFor();
    await page.getByText('Last entered server').waitFor({ state: 'hidden' });
    await search(page, 'request:request-of-the-night');
    await heading(page, 'Request').waitFor();
    await page.getByText('Signed in by password').waitFor();
    await expectAccessibleLayout(page);
    await page.getByRole('link', { name: `To player ${night.player}` }).click();
    await heading(page, night.account).waitFor();
  });

  it('what goes on: registrations, guessing, failing servers, mail and the instance', async () => {
    const page = await desk.open('sue', '/');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('img', { name: /^Registrations: \d+ in the last 60 minutes/ }).waitFor();
    await page.getByRole('img', { name: /^Refused logins: [78]\d in/ }).waitFor();
    await page.getByRole('link', { name: /Sand Keep/ }).waitFor();
    const instance = page.getByRole('row', { name: /this host/ });
    await instance.getByText('up', { exact: true }).first().waitFor();
    await instance.getByText(/^\d+ in an hour$/).waitFor();
    const guessing = page.getByRole('link', { name: 'Accounts whose passwords are being guessed' });
    await guessing.click();
    await heading(page, night.account).waitFor();
    await page.getByText('198.51.100.7').first().waitFor();
  });

  it('somebody has my account', async () => {
    const page = await desk.open('sue', `/players/${night.player}`);
    await act(page, 'Secure a stolen account', 'Secure');
    await page.getByText('Secured: only a password reset').waitFor();
    await page.getByText('sue: secured').waitFor();
    expect((await login(PASSWORD)).body.error).toBe('bad_credentials');
  });

  it('a settle of one, and undoing it', async () => {
    const page = await desk.open('tara', `/withdrawals/${night.small}`);
    await act(page, 'Settle as failed', 'Settle as failed', 'the ledger has none');
    await page.getByText('Settled.').waitFor();
    await page.getByText('tara: the ledger has none').waitFor();
    await act(page, 'Reopen', 'Reopen', 'the ledger has it after all');
    await page.getByText('Reopened: its outcome is unknown again.').waitFor();
  });
});

it('a name is changed with how the game writes it, and never that of the player next door', async () => {
  const page = await desk.open('mo', `/players/${night.player}`);
  await heading(page, night.account).waitFor();
  await search(page, `id:${night.hostile}`);
  await heading(page, HOSTILE).waitFor();
  const dialog = page.getByRole('dialog', { name: 'Rename' });
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await dialog.waitFor();
  await page.goBack();
  await heading(page, night.account).waitFor();
  expect(await dialog.count()).toBe(0);
  await page.goForward();
  await heading(page, HOSTILE).waitFor();
  const written = HOSTILE.toUpperCase();
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await dialog.getByLabel('New name').fill('renamed');
  await dialog.getByLabel('The old name as the game writes it').fill(written);
  await dialog.getByLabel('Why').fill('markup');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await heading(page, 'renamed').waitFor();
  await page.getByText(written, { exact: true }).waitFor();
});

it('above the limit the first of two only asks, and the second settles', async () => {
  const path = `/withdrawals/${night.large}`;
  const first = await desk.open('tara', path);
  await act(first, 'Settle as failed', 'Settle as failed');
  await first.getByText('Noted. A second person has to agree.').waitFor();
  await first.getByText(/tara settled it as failed at \d\d:\d\d; a second person/).waitFor();
  await first.getByText('That was you.').waitFor();
  expect(await first.getByRole('button', { name: /^Settle/ }).count()).toBe(0);
  await expectAccessibleLayout(first);

  const second = await desk.open('theo', '/withdrawals');
  await second.getByText(/tara settled it as failed/).waitFor();
  await second.getByRole('link', { name: `#${night.large}` }).click();
  await second.getByText('Look at the evidence yourself.').waitFor();
  await act(second, 'Settle as failed', 'Settle as failed', 'seen it too');
  await second.getByText('Settled.').waitFor();
  await second.getByText(/theo.*tara|tara.*theo/).waitFor();
});

it('servers are edited with a preview, shut together, and merged step by step', async () => {
  const page = await desk.open('ada', '/servers');
  await page.getByRole('button', { name: 'Edit Sand Keep' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address', { exact: true }).fill('http://sand.example.com');
  await dialog
    .locator('.preview')
    .getByText(/address/)
    .waitFor();
  await expectAccessibleLayout(page);
  await dialog.getByLabel('Address', { exact: true }).fill('sand.example.com');
  await dialog.getByLabel('Group').fill('Eastern lands');
  await dialog.locator('.preview').getByText('Eastern lands').waitFor();
  await dialog.getByLabel('Why').fill('moved');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('sand.example.com:7000').waitFor();

  await page.getByRole('button', { name: 'Choose all 2' }).click();
  await page.getByRole('button', { name: 'Change the state of 2' }).click();
  await dialog.getByLabel('Why').fill('tonight');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Done. Players see it within a second.').waitFor();
  expect((await desk.stage.sql('SELECT DISTINCT status FROM server')).length).toBe(1);

  await page.getByRole('button', { name: 'Merge Sand Keep' }).click();
  await dialog.getByLabel('Into which server').selectOption({ index: 1 });
  await dialog.getByText(`settle these withdrawals first: ${night.small}`).waitFor();
  await expectAccessibleLayout(page);
  await dialog.getByLabel('Why').fill('too few players');
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await dialog.getByText('Something still stands open.').waitFor();
});

it('chat is searched by words, and read around a line', async () => {
  const page = await desk.open('mo', '/chat');
  await page.getByLabel('Words').fill('yuanbao');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText(`sell yuanbao ${HOSTILE}`).waitFor();
  await page.getByText('good night').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Around it' }).click();
  await page.getByRole('dialog').getByText('good night').waitFor();
  await expectAccessibleLayout(page);
});

it('who did what stands in the audit, and can be taken out', async () => {
  const page = await desk.open('ada', '/audit');
  await page.getByLabel('Who').fill('sue');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('secured').first().waitFor();
  await page.getByText(HOSTILE).first().waitFor();
  await expectAccessibleLayout(page);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const file = await (await download).path();
  expect(readFileSync(file, 'utf8')).toContain(`"player.secure","player ${night.player}"`);
});
