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

describe('Two operators working in parallel', () => {
  it("see each other's changes to a withdrawal, on its page and in the list", async () => {
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

  it('see no changes in an open dialog while they decide', async () => {
    const page = await desk.open('theo', `/withdrawals/${data.large}`);
    await page.getByRole('button', { name: 'Settle as failed' }).click();
    await page.getByLabel('Internal note').fill('what was typed so far');
    const other = await desk.open('tara', `/withdrawals/${data.large}`);
    await act(other, 'Settle as failed', 'Settle as failed', 'the ledger has none');
    await page.getByText(/^as of \d\d:\d\d, not updating$/).waitFor();
    await page.getByText('it is settled when a second person agrees').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(/tara proposed “failed”/).waitFor();
    await act(other, 'Withdraw proposal', 'Withdraw proposal', 'a mistake');
  });

  it('see when a list was last updated if updates stop, and can reload it', async () => {
    const page = await desk.open('theo', '/withdrawals');
    await page.getByText('updates automatically', { exact: true }).waitFor();
    const release = await holdRequests(page, '**/api/withdrawals?*');
    await page.getByText(/^as of \d\d:\d\d, not updating/).waitFor();
    await expectAccessibleLayout(page);
    await page.getByRole('button', { name: 'Reload' }).click();
    release();
    await page.getByText('updates automatically', { exact: true }).waitFor();
  });

  it('see a list that matches the applied filters, not the ones being typed', async () => {
    const page = await desk.open('theo', '/withdrawals');
    await page.getByLabel('Account').pressSequentially('nobody');
    const answer = await page.waitForResponse(/\/api\/withdrawals\?/);
    expect(answer.url()).not.toContain('nobody');
    expect(await page.getByLabel('Account').inputValue()).toBe('nobody');
  });

  it('are asked before one overwrites a server field that the other has changed', async () => {
    const page = await desk.open('alan', '/servers');
    await page.getByRole('button', { name: 'Edit Sand Keep' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Sort order').fill('7');
    await form.getByLabel('Internal note').fill('a new place');
    await desk.site.database.query(`UPDATE server SET sort = 5 WHERE id = ${data.server}`);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('sort is now 5').waitFor();
    await expectAccessibleLayout(page);
    await form.getByLabel('Overwrite the other operator’s changes').check();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    const [row] = await desk.site.database.query(
      `SELECT sort FROM server WHERE id = ${data.server}`,
    );
    expect(Number(row!.sort)).toBe(7);
  });

  it('see the opening time of a scheduled server that players do not see yet', async () => {
    const opening = { status: 'scheduled', open_at: '2036-01-01 10:00:00' };
    const server = { name: 'Far Shore', address: '127.0.0.1', port: 7000, ...opening };
    await desk.site.database.insert('server', server);
    const page = await desk.open('alan', '/servers');
    const row = page.getByRole('row').filter({ hasText: 'Far Shore' });
    await row.getByText('scheduled', { exact: true }).waitFor();
    await row.getByText(/^opens .*2036/).waitFor();
  });

  it('see a changed server status without reloading the page', async () => {
    const page = await desk.open('alan', '/servers');
    const row = page.getByRole('row').filter({ hasText: 'Sand Keep' });
    await row.getByText('open', { exact: true }).first().waitFor();
    await desk.site.database.query(`UPDATE server SET status = 'busy' WHERE id = ${data.server}`);
    await row.getByText('busy').first().waitFor();
  });
});
