import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessibleLayout } from '../../support/browser/chromium.js';
import { createDeskFixture, type DeskFixture } from '../../support/browser/desk-fixture.js';
import { DeskTestbed } from '../../support/browser/desk-testbed.js';
import { heading } from '../../support/browser/player-actions.js';

let desk: DeskTestbed;
let data: DeskFixture;

beforeAll(async () => {
  desk = await DeskTestbed.start();
  data = await createDeskFixture(desk.site);
});
afterEach(() => desk.site.chromium.closeAndExpectNoProblems());
afterAll(() => desk.stop());

describe('The Withdrawals page', () => {
  it('shows every outcome once the filters name a player or a time', async () => {
    const page = await desk.open('tara', '/withdrawals');
    const status = page.getByLabel('Status', { exact: true });
    await page.getByText('Wizard').waitFor();
    expect(await page.getByText('Warrior').count()).toBe(0);
    await page.getByLabel('Account', { exact: true }).fill(data.account);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('Warrior').waitFor();
    expect(await status.inputValue()).toBe('all');
    await page.getByText(/^Withdrawals \(all outcomes\): 3, with 25,800 in total/).waitFor();
    // The operator can still filter by one outcome.
    await status.selectOption('unknown');
    await page.getByText('Warrior').waitFor({ state: 'detached' });
    await page.getByText('Wizard').waitFor();
    await page.reload();
    await page.getByText('Wizard').waitFor();
    expect(await status.inputValue()).toBe('unknown');
    const from = await desk.open('tara', '/withdrawals?from=2026-01-01T00:00', { width: 390 });
    await from.getByText('Warrior').waitFor();
    await expectAccessibleLayout(from);
  });

  it('does not claim that nothing is open if the other filters hide open withdrawals', async () => {
    const page = await desk.open('tara', '/withdrawals?status=unknown&server=999');
    await page.getByText(/^No withdrawal with an unknown outcome matches/).waitFor();
    expect(await page.getByText('No withdrawals need attention.').count()).toBe(0);
  });

  it('shows the date and the time zone of the filter since=yesterday', async () => {
    const page = await desk.open('tara', '/withdrawals?since=yesterday');
    await page.getByText(/^[A-Z][a-z]{2} \d{1,2}, \d{4} \(UTC\)$/).waitFor();
  });
});

describe('The page of a withdrawal', () => {
  it('shows the device and the sign-in of its session', async () => {
    const { database } = desk.site;
    const at = new Date(Date.now() - 3_600_000);
    await database.insert('session', {
      player_id: data.player,
      id: 900_002,
      ver: 0,
      os: 'Windows 10',
      browse: 'Chrome 120',
      address: '203.0.113.77',
      created_at: at,
      confirmed_at: at,
      seen_at: at,
      expires_at: new Date(Date.now() + 3_600_000),
    });
    await database.query(`UPDATE withdraw SET session_id = 900002 WHERE id = ${data.small}`);
    const page = await desk.open('tara', `/withdrawals/${data.small}`);
    await page.getByText('Chrome on Windows').waitFor();
    await page.getByRole('link', { name: '203.0.113.77' }).waitFor();
    await page.getByText('signed in').waitFor();
  });
});

describe("An action's dialog", () => {
  it('names the required field that is empty', async () => {
    const page = await desk.open('mo', `/players/${data.player}`);
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Internal note').fill('ticket 811');
    await dialog.getByRole('button', { name: 'Ban' }).click();
    await dialog.getByText('Please fill in “Message to the player”.').waitFor();
  });
});

describe('The Guessing page', () => {
  it('leads from a correct guess to the action that secures the account', async () => {
    await desk.site.database.insert('login_event', {
      created_at: new Date(),
      way: 'login',
      outcome: 'ok',
      tries: 1,
      player_id: data.player,
      account: data.account,
      address: '198.51.100.7',
    });
    const page = await desk.open('ada', '/guesses');
    await page.getByRole('link', { name: 'Secure account' }).click();
    await heading(page, data.account).waitFor();
    await page.getByRole('dialog', { name: 'Secure a stolen account' }).waitFor();
    const support = await desk.open('sue', '/guesses');
    await support.getByRole('link', { name: 'Secure account' }).click();
    await support.getByText('If the mailbox was stolen too, an admin has to do this.').waitFor();
    await expectAccessibleLayout(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(new URL(page.url()).search).toBe('');
  });
});

describe('The merge dialog', () => {
  it('links to what must be done first', async () => {
    const page = await desk.open('ada', '/servers');
    await page.getByRole('button', { name: 'Merge Sand Keep' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Target server').selectOption({ index: 1 });
    const order = dialog.getByRole('link', { name: `#${data.small}` });
    expect(await order.getAttribute('href')).toBe(`/withdrawals/${data.small}`);
    const server = dialog.getByRole('link', { name: `Show server ${data.server}` });
    expect(await server.getAttribute('href')).toBe(`/servers?q=${data.server}`);
  });
});

describe('The Audit page', () => {
  it('finds applied and edited settings with one filter, and shows values in words', async () => {
    const event = { operator: 'max', note: 'ticket 7', created_at: new Date() };
    await desk.site.database.insert(
      'audit_event',
      {
        ...event,
        act: 'settings.apply',
        subject: 'settings of one',
        state_before: '{"day_max_reg":1}',
        state_after: '{"day_max_reg":2}',
      },
      {
        ...event,
        operator: 'settings',
        note: 'a direct edit of /srv/settings.yaml',
        act: 'settings.change',
        subject: 'settings of two',
        state_before: '{"day_max_reg":3}',
        state_after: '{"day_max_reg":4}',
      },
      {
        ...event,
        act: 'server.set',
        subject: `server ${data.server}`,
        state_before: '{"status":"normal","open_at":null,"recommended":false}',
        state_after: '{"status":"closed","open_at":"2026-11-20T12:00:00.000Z","recommended":true}',
      },
      {
        ...event,
        act: 'player.ban',
        subject: `player ${data.player}`,
        state_before: '{"bans":[]}',
        state_after: '{"bans":[{"id":3,"scope":"all","reason":"botting","until":null}]}',
      },
    );
    const page = await desk.open('ada', '/audit');
    await page.getByText('open → closed').waitFor();
    await page.getByText('– → Nov 20, 12:00:00').waitFor();
    await page.getByText('no → yes').waitFor();
    await page.getByText('none → the account: botting (permanent)').waitFor();
    await page.getByLabel('Action').selectOption({ label: 'settings: applied or changed' });
    await page.getByText('open → closed').waitFor({ state: 'hidden' });
    await page.getByText('1 → 2').waitFor();
    await page.getByText('3 → 4').waitFor();
    await page.getByText('unknown (file edited)').waitFor();
  });
});
