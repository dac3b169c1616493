import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/api/client.js';
import { PASSWORD } from '../support/accounts.js';
import { createDeskFixture, type DeskFixture } from '../support/browser/desk-fixture.js';
import { act, DESK_PASSWORD, DeskTestbed, searchFor } from '../support/browser/desk-testbed.js';
import { heading } from '../support/browser/player-actions.js';

let desk: DeskTestbed;
let data: DeskFixture;

beforeAll(async () => {
  desk = await DeskTestbed.start();
  data = await createDeskFixture(desk.site);
});
afterEach(() => desk.site.chromium.closeAndExpectNoProblems());
afterAll(() => desk.stop());

describe('The desk', () => {
  it('signs an operator in with a one-time code, and out again', async () => {
    const page = await desk.site.chromium.open(`${desk.url}/servers?q=Sand`);
    await page.getByLabel('Name').fill('Sue');
    await page.getByLabel('Password').fill('a wrong one');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Name, password or code is wrong.').waitFor();
    await page.getByLabel('Password').fill(DESK_PASSWORD);
    await page.getByLabel('One-time code').fill(desk.codeOf('sue', 1));
    await page.keyboard.press('Enter');
    await heading(page, 'Servers').waitFor();
    expect(page.url()).toBe(`${desk.url}/servers?q=Sand`);
    expect(await page.evaluate('document.cookie + JSON.stringify({ ...localStorage })')).toBe('{}');

    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Desk').waitFor();
    await page.goto(`${desk.url}/servers`);
    await heading(page, 'Desk').waitFor();
  });

  it('finds a player by name and a withdrawal by number', async () => {
    const page = await desk.open('sue', '/');
    await searchFor(page, data.account);
    await heading(page, data.account).waitFor();
    await page.getByText('Sign-in by password refused 70 times: wrong password').waitFor();
    await searchFor(page, `#${data.large}`);
    await heading(page, `Withdrawal #${data.large}: 25,000`).waitFor();
    await page.getByText('source: the game server’s answer').waitFor();
  });

  it('secures a stolen account with a reason that the timeline shows', async () => {
    const page = await desk.open('sue', `/players/${data.player}`);
    await act(page, 'Secure a stolen account', 'Secure account', 'the mailbox was stolen');
    await page.getByText('Secured. The owner must reset the password').waitFor();
    await page.getByText('sue secured the account').waitFor();
    const login = { account: data.account, password: PASSWORD };
    const answer = await new Client(desk.site.url).post('/api/login', login);
    expect(answer.body.error).toBe('bad_credentials');
  });

  it('settles a small withdrawal immediately and reopens it', async () => {
    const page = await desk.open('tara', `/withdrawals/${data.small}`);
    await act(page, 'Settle as failed', 'Settle as failed', 'the ledger has none');
    await page.getByText('Settled.').waitFor();
    await page.getByText('tara: the ledger has none').waitFor();
    await act(page, 'Reopen', 'Reopen', 'the ledger has it after all');
    await page.getByText('Reopened: the outcome is unknown again.').waitFor();
  });

  it('settles a large withdrawal only after a second operator approves', async () => {
    const first = await desk.open('tara', `/withdrawals/${data.large}`);
    await act(first, 'Settle as failed', 'Settle as failed', 'the ledger has none');
    await first.getByText('Proposed. A second person has to agree.').waitFor();
    await first.getByText('This is your proposal.').waitFor();
    expect(await first.getByRole('button', { name: /^Settle/ }).count()).toBe(0);

    const second = await desk.open('theo', '/withdrawals');
    await second.getByText(/tara proposed “failed”/).waitFor();
    await second.getByRole('link', { name: `#${data.large}` }).click();
    await second.getByText('Check the evidence yourself.').waitFor();
    await act(second, 'Settle as failed', 'Settle as failed', 'seen it too');
    await second.getByText('Settled.').waitFor();
    await second.getByText(/theo.*tara|tara.*theo/).waitFor();
  });

  it('previews a server change, whose host changes only after a second admin approves', async () => {
    const page = await desk.open('ada', '/servers');
    await page.getByRole('button', { name: 'Edit Sand Keep' }).click();
    const dialog = page.getByRole('dialog');
    const preview = dialog.locator('.preview');
    await dialog.getByLabel('Address', { exact: true }).fill('http://sand.example.com');
    await dialog.getByText('Address is not a host name or address.').waitFor();
    await dialog.getByLabel('Address', { exact: true }).fill('sand.example.com');
    await dialog.getByLabel('Group').fill('Eastern lands');
    await preview.getByText('Eastern lands').waitFor();
    await dialog.getByLabel(/^Opens at · .+/).fill('2036-01-02T03:04');
    await dialog.getByLabel('Recommended').check();
    await dialog.getByLabel('Internal note').fill('moved');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/ada proposed a change of server/).waitFor();
    await page.getByText('This is your proposal.').waitFor();
    const second = await desk.open('alan', '/servers');
    const changes = [
      'Address: sand.example.com',
      'Opens at: Jan 2, 2036, 03:04:00',
      'Recommended: yes',
      'Group: Eastern lands',
    ];
    await second.getByText(changes.join(' · ')).waitFor();
    await act(second, 'Approve', 'Approve', 'seen the host');
    await second.getByText('sand.example.com:7000').waitFor();
    await desk.site.untilServersMatch((servers) =>
      servers.some(({ address }) => address === 'sand.example.com'),
    );
  });
});
