import type { Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../../support/api/client.js';
import { unique } from '../../support/accounts.js';
import { expectAccessibleLayout } from '../../support/browser/chromium.js';
import { press } from '../../support/browser/player-actions.js';
import { WithdrawalTestbed } from '../../support/browser/withdrawal-testbed.js';
import { until } from '../../support/until.js';
import { STILL_UNDER_WAY_MS } from '../../../web/src/withdraw/outcome.js';

let testbed: WithdrawalTestbed;
let page: Page;

beforeAll(async () => {
  testbed = await WithdrawalTestbed.start();
});
beforeEach(async () => {
  await testbed.site.setServerStatus(testbed.server, 'normal');
  page = await testbed.openAsNewPlayer();
});
afterEach(() => testbed.site.chromium.closeAndExpectNoProblems());
afterAll(() => testbed.stop());

const withdraw = (amount: string) => testbed.withdraw(page, amount);

/** Drops the page's next withdrawal request; the returned function sends the request after all. */
async function loseNextRequest(): Promise<() => Promise<void>> {
  let lost: Request;
  await page.route(
    '**/api/game/withdraw',
    async (route) => {
      lost = route.request();
      await route.abort();
    },
    { times: 1 },
  );
  return async () => {
    const { authorization, 'idempotency-key': key } = lost.headers();
    const headers = { Authorization: authorization!, 'Idempotency-Key': key! };
    const request = { headers, body: lost.postData() };
    const answer = await new Client(testbed.site.url).send('POST', '/api/game/withdraw', request);
    expect(answer.status).toBe(200);
  };
}

describe('A withdrawal', () => {
  it('is rejected if the balance has dropped since the page loaded', async () => {
    await testbed.fillIn(page, '900');
    testbed.world.roles.setBalance(testbed.server, testbed.role, 500);
    await testbed.confirm(page);
    await page.getByText('The balance does not cover this amount.').first().waitFor();
    expect(await testbed.balance()).toBe(500);
    expect(await testbed.keptKey(page)).toBeNull();
  });

  it('rejected by the game server leaves the balance and the form unchanged', async () => {
    testbed.world.gameServer.fault = () => 'refuse';
    await withdraw('400');
    const alert = page.getByRole('alert');
    await alert.getByText('The game server refused the withdrawal.').waitFor();
    await alert.getByText('No yuanbao was deducted.').waitFor();
    await alert.getByText('Refused', { exact: true }).waitFor();
    await page.getByRole('listitem').getByText('Refused', { exact: true }).waitFor();
    await expectAccessibleLayout(page);
    expect(await testbed.balance()).toBe(1000);
    expect(await testbed.keptKey(page)).toBeNull();
    await press(page, 'Back to the form');
    await page.locator('input[type=radio]:checked').waitFor({ state: 'attached' });
    expect(await page.getByLabel('Amount').inputValue()).toBe('400');
  });

  it('interrupted by a reload is found without sending the request again', async () => {
    // The service receives the request, but the page never receives the response.
    const answered = new Promise((resolve) => {
      void page.route('**/api/game/withdraw', (route) => route.fetch().then(resolve), { times: 1 });
    });
    await withdraw('400');
    await page.getByText('Sending…').waitFor();
    await answered;
    await page.reload();
    await page.getByText(`400 yuanbao were withdrawn from ${testbed.roleName}`).waitFor();
    expect(testbed.keys).toHaveLength(1);
    expect(testbed.world.applications).toEqual([1]);
    expect(await testbed.keptKey(page)).toBeNull();
  });

  it('that never arrived is not carried out by a status check', async () => {
    await loseNextRequest();
    await withdraw('400');
    await page.getByText('The service cannot be reached.').waitFor();
    await press(page, 'Check status');
    await page.getByText('the service has not received it').waitFor();
    await expectAccessibleLayout(page);
    await page.reload();
    await page.getByText('the service has not received it').waitFor();
    await page.clock.setFixedTime(Date.now() + STILL_UNDER_WAY_MS);
    await press(page, 'Check status');
    await page.getByText('the service never received it').waitFor();
    expect(testbed.keys).toHaveLength(1);
    expect(await testbed.balance()).toBe(1000);

    await press(page, 'Submit again (charged at most once)');
    await page.getByText(`400 yuanbao were withdrawn from ${testbed.roleName}`).waitFor();
    expect(new Set(testbed.keys).size).toBe(1);
    expect(testbed.world.applications).toEqual([1]);
  });

  it('still in progress is shown as such, and its status is checked again automatically', async () => {
    const conflict = { code: 40906, error: 'idempotency_conflict', message: 'x', retry_after: 5 };
    await page.route(
      '**/api/game/withdraw',
      (route) => route.fulfill({ status: 409, json: conflict }),
      { times: 1 },
    );
    await withdraw('400');
    await page.getByText(/^Your request is still being processed/).waitFor();
    await page.getByText(`400 yuanbao were withdrawn from ${testbed.roleName}`).waitFor();
    expect(testbed.keys).toHaveLength(2);
    expect(new Set(testbed.keys).size).toBe(1);
  });

  it('is not reported as rejected while an earlier request may still arrive', async () => {
    const deliver = await loseNextRequest();
    await withdraw('400');
    await page.getByText('The service cannot be reached.').waitFor();
    await testbed.site.setServerStatus(testbed.server, 'maintenance');
    const mayArrive = page.getByText('the first one may still arrive');
    await press(page, /^Submit again/);
    await mayArrive.waitFor();
    await expectAccessibleLayout(page);
    await page.reload();
    await press(page, /^Submit again/);
    await mayArrive.waitFor();
    expect(await testbed.keptKey(page)).not.toBeNull();

    await testbed.site.setServerStatus(testbed.server, 'normal');
    await deliver();
    await press(page, 'Check status');
    await page.getByText(`400 yuanbao were withdrawn from ${testbed.roleName}`).waitFor();
    expect(new Set(testbed.keys).size).toBe(1);
    expect(testbed.world.applications).toEqual([1]);
    expect(await testbed.keptKey(page)).toBeNull();
  });

  it('that was not carried out is shown with the reason, and with one notice that nothing was deducted', async () => {
    testbed.world.gameServer.fault = () => 'error_before';
    await withdraw('100');
    await page.getByText(/^Being checked: No\. \d+$/).waitFor();
    const settle = "UPDATE withdraw SET status = 'failed' WHERE role_id = ?";
    await testbed.site.database.query(settle, [testbed.role]);
    const alert = page.getByRole('alert');
    await alert.getByText('We checked: the game server did not carry out').waitFor();
    expect((await alert.innerText()).match(/deducted/g)).toHaveLength(1);
    await page.getByRole('listitem').getByText('We checked: the game server').waitFor();
    await press(page, 'Back to the form');
    const unreachable = { error: 'game_server_unavailable', message: '' };
    const answer = { status: 503, json: unreachable };
    await page.route('**/api/game/withdraw', (route) => route.fulfill(answer), { times: 1 });
    await testbed.confirm(page);
    await alert.getByText('The game server could not be reached').waitFor();
    expect((await alert.innerText()).match(/deducted/g)).toHaveLength(1);
  });

  it('with an unknown outcome blocks only its own role until it is settled', async () => {
    const { site, server, account, role, roleName, world } = testbed;
    const other = unique('mage');
    await world.roles.createRole(server, { account, name: other, balance: 1000 });
    await page.reload();
    world.gameServer.fault = () => 'error_after';
    await withdraw('100');
    await press(page, 'Make another withdrawal');
    const blocked = page.getByRole('radio', {
      name: new RegExp(`${roleName}.*Being checked: No\\.`),
    });
    await blocked.waitFor();
    expect(await blocked.isDisabled()).toBe(true);
    expect(await page.getByRole('radio', { name: other }).isEnabled()).toBe(true);
    await expectAccessibleLayout(page);

    // The open page polls the status automatically.
    await site.database.query("UPDATE withdraw SET status = 'failed' WHERE role_id = ?", [role]);
    await page.getByRole('listitem').getByText('Not carried out').waitFor();
    await until(() => page.getByRole('radio', { name: roleName }).isEnabled());
  });
});
