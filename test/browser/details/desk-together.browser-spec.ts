import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleLayout, holdRequests } from '../../support/browser/chromium.js';
import { createDeskFixture, type DeskFixture } from '../../support/browser/desk-fixture.js';
import { act, DeskTestbed } from '../../support/browser/desk-testbed.js';

let desk: DeskTestbed;
let data: DeskFixture;

beforeAll(async () => {
  desk = await DeskTestbed.start();
  data = await createDeskFixture(desk.site);
});
afterEach(() => desk.site.chromium.closeAndExpectNoProblems());
afterAll(() => desk.stop());

describe('Two operators at once', () => {
  it('see what the other does with a withdrawal, on its page and in the list', async () => {
    const story = await desk.open('theo', `/withdrawals/${data.small}`);
    const list = await desk.open('theo', '/withdrawals');
    await list.getByRole('link', { name: `#${data.small}` }).waitFor();
    const other = await desk.open('tara', `/withdrawals/${data.small}`);
    await act(other, 'Settle as failed', 'Settle as failed', 'the ledger has none');
    await story.getByText('tara: the ledger has none').waitFor();
    await story.getByRole('button', { name: 'Reopen' }).waitFor();
    await list.getByRole('link', { name: `#${data.small}` }).waitFor({ state: 'detached' });
    await act(other, 'Reopen', 'Reopen', 'the ledger has it after all');
    await list.getByRole('link', { name: `#${data.small}` }).waitFor();
    await story.getByRole('button', { name: 'Settle as failed' }).waitFor();
    await list.getByText('updates automatically', { exact: true }).waitFor();
    await expectAccessibleLayout(list);
    await expectAccessibleLayout(story);
  });

  it('see a dialog unchanged while they decide', async () => {
    const page = await desk.open('theo', `/withdrawals/${data.large}`);
    await page.getByRole('button', { name: 'Settle as failed' }).click();
    await page.getByLabel('Reason').fill('what was typed so far');
    const other = await desk.open('tara', `/withdrawals/${data.large}`);
    await act(other, 'Settle as failed', 'Settle as failed', 'the ledger has none');
    await page.getByText(/^as of \d\d:\d\d, not updating$/).waitFor();
    await page.getByText('it is settled when a second person agrees').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(/tara proposed “failed”/).waitFor();
    await act(other, 'Withdraw proposal', 'Withdraw proposal', 'a mistake');
  });

  it('see since when a list has not been updated, and reload it', async () => {
    const page = await desk.open('theo', '/withdrawals');
    await page.getByText('updates automatically', { exact: true }).waitFor();
    const release = await holdRequests(page, '**/api/withdrawals?*');
    await page.getByText(/^as of \d\d:\d\d, not updating/).waitFor();
    await expectAccessibleLayout(page);
    await page.getByRole('button', { name: 'Reload' }).click();
    release();
    await page.getByText('updates automatically', { exact: true }).waitFor();
  });

  it('see a list of the filters that were applied, not of those being typed', async () => {
    const page = await desk.open('theo', '/withdrawals');
    await page.getByLabel('Account').pressSequentially('nobody');
    const answer = await page.waitForResponse(/\/api\/withdrawals\?/);
    expect(answer.url()).not.toContain('nobody');
    expect(await page.getByLabel('Account').inputValue()).toBe('nobody');
  });

  it('see a server that the other put into maintenance', async () => {
    const page = await desk.open('alan', '/servers');
    const row = page.getByRole('row').filter({ hasText: 'Sand Keep' });
    await row.getByText('open', { exact: true }).first().waitFor();
    await desk.site.database.query(`UPDATE server SET status = 'busy' WHERE id = ${data.server}`);
    await row.getByText('busy').first().waitFor();
  });
});
