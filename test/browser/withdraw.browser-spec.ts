import type { Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessibleLayout } from '../support/browser/chromium.js';
import { Client } from '../support/api/client.js';
import { SECRETS } from '../support/api/deployment.js';
import { unique } from '../support/api/factories.js';
import { FakeGameServer } from '../support/api/game-server.js';
import { GameWorld } from '../support/api/game-world.js';
import { until } from '../support/until.js';
import { heading, signIn } from '../support/browser/web-player.js';
import { WebTestbed } from '../support/browser/web-testbed.js';

let stage: WebTestbed;
let world: GameWorld;
let game: FakeGameServer;
let server: number;
let account: string;
let role: number;
let roleName: string;
let page: Page;
let keys: (string | undefined)[];

beforeAll(async () => {
  world = await GameWorld.start();
  game = await FakeGameServer.start(world, SECRETS.GM_SECRET);
  stage = await WebTestbed.start({ GAME_DATABASE_URL: world.urlAt() });
  server = await stage.addServer({ name: 'Dragon Valley', gm_port: game.port });
  await world.addServer(server);
});
beforeEach(async () => {
  await turnServer('normal');
  game.ledger.clear();
  game.fault = () => 'none';
  account = await stage.createAccount();
  roleName = unique('knight');
  role = await world.createRole(server, { account, name: roleName, balance: 1000 });
  page = await stage.chromium.open(`${stage.url}/withdraw`);
  keys = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/game/withdraw'))
      keys.push(request.headers()['idempotency-key']);
  });
  await signIn(page, account);
  await heading(page, 'Treasury').waitFor();
});
afterEach(() => stage.chromium.expectNoComplaints());
afterAll(async () => {
  await stage.stop();
  await game.stop();
  await world.stop();
});

async function fillIn(amount: string): Promise<void> {
  await page.getByRole('radio', { name: roleName }).check();
  await page.getByLabel('Amount').fill(amount);
}

const press = () => page.getByRole('button', { name: /^Withdraw/ }).click();
const kept = () => page.evaluate(`sessionStorage.getItem('CQ-WITHDRAW:${account}')`);
async function turnServer(status: 'normal' | 'maintenance'): Promise<void> {
  await stage.sql('UPDATE server SET status = ? WHERE id = ?', [status, server]);
  const listed = () => new Client(stage.url).get('/api/server/list');
  await until(async () => (await listed()).body.data.servers[0].status === status);
}

/** The next request gets lost on its way, for the page; whoever has it may deliver it later. */
async function loseNextRequest(): Promise<() => Request> {
  let lost: Request;
  await page.route(
    '**/api/game/withdraw',
    async (route) => {
      lost = route.request();
      await route.abort();
    },
    { times: 1 },
  );
  return () => lost;
}

async function deliver(request: Request): Promise<void> {
  const { authorization, 'idempotency-key': key } = request.headers();
  const headers = { Authorization: authorization!, 'Idempotency-Key': key! };
  const body = request.postData();
  expect(
    (await new Client(stage.url).send('POST', '/api/game/withdraw', { headers, body })).status,
  ).toBe(200);
}

const deductions = () => [...game.ledger.values()].map(({ applications }) => applications);

describe('a withdrawal', () => {
  it('takes the amount once, however often the button is pressed', async () => {
    await fillIn('400');
    await page.getByRole('button', { name: 'Withdraw 400 yuanbao' }).dblclick();
    await page.getByText(`400 yuanbao were withdrawn from ${roleName}`).waitFor();
    expect(await world.balanceOf(server, role)).toBe(600);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(await kept()).toBeNull();
    await page.getByRole('listitem').getByText('Done').waitFor();
    await expectAccessibleLayout(page);
    await page.getByRole('button', { name: 'Make another withdrawal' }).click();
    await page.getByText('600', { exact: false }).first().waitFor();
  });

  it('of 50, 1001, 100001 or 1.5 is stopped at the field', async () => {
    for (const [amount, words] of [
      ['50', 'The least is 100.'],
      ['1001', 'This hero has only 1,000.'],
      ['100001', 'The most at a time is 100,000.'],
      ['1.5', 'Enter a whole number.'],
    ] as const) {
      await fillIn(amount);
      await page.getByText(words).waitFor({ state: 'hidden' });
      await press();
      await page.getByText(words).waitFor();
      expect(await page.getByLabel('Amount').getAttribute('aria-invalid')).toBe('true');
    }
    expect(keys).toEqual([]);
  });

  it('is refused when the balance has shrunk meanwhile', async () => {
    await fillIn('900');
    await world.deduct(server, role, account, 500);
    await press();
    await page.getByText('The balance does not cover this amount.').first().waitFor();
    expect(await world.balanceOf(server, role)).toBe(500);
    expect(await kept()).toBeNull();
  });

  it('is refused by the game server, nothing is lost, and the form is as it was', async () => {
    game.fault = () => 'refuse';
    await fillIn('400');
    await press();
    await page.getByRole('alert').getByText('The game server refused the withdrawal.').waitFor();
    await page.getByRole('alert').getByText('Nothing was deducted.').waitFor();
    expect(await world.balanceOf(server, role)).toBe(1000);
    expect(await kept()).toBeNull();
    // One word for it, here and in the list.
    await page.getByRole('alert').getByText('Refused', { exact: true }).waitFor();
    await page.getByRole('listitem').getByText('Refused', { exact: true }).waitFor();
    await expectAccessibleLayout(page);
    await page.getByRole('button', { name: 'Back to the form' }).click();
    await until(() => page.getByRole('radio', { name: roleName }).isChecked());
    expect(await page.getByLabel('Amount').inputValue()).toBe('400');
  });

  it('whose outcome is unknown bears its number, survives a reload and is settled', async () => {
    game.fault = () => 'hang_after';
    await fillIn('400');
    await press();
    const title = page.getByText(/^Being checked: No\. \d+$/);
    await title.waitFor();
    const id = /\d+/.exec((await title.textContent())!)![0];
    await expectAccessibleLayout(page);

    await page.reload();
    await page.getByText(`Being checked: No. ${id}`).waitFor();
    expect(keys).toHaveLength(1);
    expect(deductions()).toEqual([1]);

    await stage.sql("UPDATE withdraw SET status = 'succeeded' WHERE id = ?", [id]);
    await page.getByText(`400 yuanbao were withdrawn from ${roleName}. No. ${id}.`).waitFor();
    expect(await kept()).toBeNull();
  });

  it('that was cut off by a reload keeps its key, and is not made twice', async () => {
    // The answer must not overtake the reload.
    await stage.changeSettings({ withdraw: { gm_timeout: 10 } });
    game.fault = () => 'hang_before';
    await fillIn('400');
    await press();
    await page.getByText('Sending …').waitFor();
    await until(() => game.ledger.size === 1);
    await page.reload();
    await page.getByText('Your last request has no answer yet').waitFor();
    await expectAccessibleLayout(page);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page
      .getByText(/^(Being checked: No\. \d+|This request is still being worked on.*)$/)
      .waitFor();
    // The page goes on asking by itself while the request is being worked on.
    expect(keys.length).toBeGreaterThanOrEqual(2);
    expect(new Set(keys).size).toBe(1);
    expect(game.ledger.size).toBe(1);
    await stage.changeSettings({});
  });

  it('whose repeat is refused is not called refused while an earlier request may be under way', async () => {
    const lost = await loseNextRequest();
    await fillIn('400');
    await press();
    await page.getByText('The service cannot be reached.').waitFor();
    await turnServer('maintenance');
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('An earlier request may still be on its way').waitFor();
    await expectAccessibleLayout(page);
    await page.reload();
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('An earlier request may still be on its way').waitFor();
    expect(await kept()).not.toBeNull();

    await turnServer('normal');
    await deliver(lost());
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText(`400 yuanbao were withdrawn from ${roleName}`).waitFor();
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(deductions()).toEqual([1]);
    expect(await kept()).toBeNull();
  });

  it('whose repeat is refused is refused once no earlier request can be under way any more', async () => {
    await loseNextRequest();
    await fillIn('400');
    await press();
    await page.getByText('The service cannot be reached.').waitFor();
    await turnServer('maintenance');
    const started = Date.now();
    await page.clock.setFixedTime(started + 170_000);
    await loseNextRequest();
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('The service cannot be reached.').waitFor();

    await page.clock.setFixedTime(started + 181_000);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('An earlier request may still be on its way').waitFor();
    await page.clock.setFixedTime(started + 351_000);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByRole('alert').getByText('Nothing was deducted.').waitFor();
    expect(new Set(keys).size).toBe(1);
    expect(await kept()).toBeNull();
  });

  it('that is open keeps its key while another account signs in and withdraws in the same tab', async () => {
    await loseNextRequest();
    await fillIn('400');
    await press();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();

    const other = await stage.createAccount();
    const otherRole = unique('mage');
    await world.createRole(server, { account: other, name: otherRole, balance: 1000 });
    await signIn(page, other);
    await page.getByRole('link', { name: 'Treasury' }).click();
    await page.locator('[name=server_id]').click();
    await page.getByRole('button', { name: 'Choose: Dragon Valley' }).first().click();
    await page.getByRole('radio', { name: otherRole }).check();
    await page.getByLabel('Amount').fill('200');
    await press();
    await page.getByText(`200 yuanbao were withdrawn from ${otherRole}`).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();

    await signIn(page, account);
    await page.getByRole('link', { name: 'Treasury' }).click();
    await page.getByText('Your last request has no answer yet').waitFor();
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText(`400 yuanbao were withdrawn from ${roleName}`).waitFor();
    expect(keys).toHaveLength(3);
    expect(keys[2]).toBe(keys[0]);
    expect(await world.balanceOf(server, role)).toBe(600);
    expect(await kept()).toBeNull();
  });

  it('of a role that is being checked is not possible: the hero is marked, until it is settled', async () => {
    const other = unique('mage');
    await world.createRole(server, { account, name: other, balance: 1000 });
    await page.reload();
    game.fault = () => 'hang_after';
    await fillIn('100');
    await press();
    await page.getByRole('button', { name: 'Make another withdrawal' }).click();
    const held = page.getByRole('radio', { name: new RegExp(`${roleName}.*Being checked: No\\.`) });
    await held.waitFor();
    expect(await held.isDisabled()).toBe(true);
    expect(await page.getByRole('radio', { name: other }).isEnabled()).toBe(true);
    await expectAccessibleLayout(page);
    expect(deductions()).toEqual([1]);

    // The open page finds out by itself, in the list and in the form.
    await stage.sql("UPDATE withdraw SET status = 'failed' WHERE role_id = ?", [role]);
    await page.getByRole('listitem').getByText('Not carried out').waitFor();
    await until(() => page.getByRole('radio', { name: roleName }).isEnabled());
  });

  it('shows what is left today, and does not send more', async () => {
    await stage.changeSettings({ withdraw: { daily_max: 500 } });
    await page.reload();
    await page.getByText(/left today: 500$/).waitFor();
    await fillIn('400');
    await press();
    await page.getByRole('button', { name: 'Make another withdrawal' }).click();
    await page.getByText(/left today: 100$/).waitFor();
    await page.getByRole('radio', { name: roleName }).check();
    await page.getByLabel('Amount').fill('101');
    await press();
    await page.getByText('Today you may withdraw 100 more.').waitFor();
    await page.locator('[name=amount]:focus').waitFor();
    expect(keys).toHaveLength(1);
    await stage.changeSettings({});
  });

  it('of more than half of the most is asked for once more; 1,000 is a number', async () => {
    await stage.changeSettings({ withdraw: { max: 1000 } });
    page = await stage.chromium.open(`${stage.url}/withdraw`);
    await signIn(page, account);
    await page.getByText('recorded for your account').waitFor();
    await fillIn('1,000');
    await page.getByRole('button', { name: 'Withdraw 1,000 yuanbao' }).click();
    await page.getByText(`1,000 yuanbao from ${roleName} in Dragon Valley.`).waitFor();
    const yes = page.getByRole('button', { name: 'Yes, withdraw 1,000 yuanbao' });
    await expectAccessibleLayout(page);
    await page.getByRole('button', { name: 'Change it' }).click();
    await yes.waitFor({ state: 'detached' });
    expect(game.ledger.size).toBe(0);
    await page.getByRole('button', { name: 'Withdraw 1,000 yuanbao' }).click();
    await yes.click();
    await page.getByText(`1,000 yuanbao were withdrawn from ${roleName}`).waitFor();
    expect(await world.balanceOf(server, role)).toBe(0);
    await stage.changeSettings({});
  });

  it('of somebody whose session has ended is not sent, and the form is there after the sign-in', async () => {
    await fillIn('400');
    await stage.sql('UPDATE player SET ver = ver + 1 WHERE account = ?', [account]);
    await press();
    await page.getByText('Your session has ended.').waitFor();
    expect(await kept()).toBeNull();
    expect(game.ledger.size).toBe(0);
    await signIn(page, account);
    await page.getByText('Nothing was sent').waitFor();
    await until(() => page.getByRole('radio', { name: roleName }).isChecked());
    expect(await page.getByLabel('Amount').inputValue()).toBe('400');
    await expectAccessibleLayout(page);
    await press();
    await page.getByText(`400 yuanbao were withdrawn from ${roleName}`).waitFor();
    expect(deductions()).toEqual([1]);
  });

  it('is not offered when withdrawals are switched off', async () => {
    await stage.changeSettings({ withdraw: { enabled: false } });
    page = await stage.chromium.open(`${stage.url}/withdraw`);
    await signIn(page, account);
    await page.getByText('Withdrawals are switched off at the moment.').waitFor();
    await stage.changeSettings({});
  });
});

describe('the earlier withdrawals', () => {
  it('are shown fifty at a time, and by their state', async () => {
    const [player] = await stage.sql('SELECT id FROM player WHERE account = ?', [account]);
    const rows = Array.from({ length: 53 }, (_, n) => [
      player!.id,
      server,
      server,
      role,
      roleName,
      1001 + n,
      n === 20 ? 'refused' : 'succeeded',
      unique('order'),
      new Date(),
    ]);
    await stage.sql(
      `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, status, order_no, created_at)
       VALUES ?`,
      [rows],
    );
    await page.reload();
    await page.getByText('1,053 yuanbao').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(50);
    await page.getByRole('button', { name: 'Show older ones' }).click();
    await page.getByText('1,001 yuanbao').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(53);
    const filter = page.getByLabel('Show only');
    await filter.selectOption('Refused');
    await page.getByText('1,021 yuanbao').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(1);
    await filter.selectOption('Being checked');
    await page.getByText('There is none.').waitFor();
  });
});
