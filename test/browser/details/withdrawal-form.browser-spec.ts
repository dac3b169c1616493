import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unique } from '../../support/accounts.js';
import { changeConfig, expectAccessibleLayout } from '../../support/browser/chromium.js';
import { press, signIn } from '../../support/browser/player-actions.js';
import { WithdrawalTestbed } from '../../support/browser/withdrawal-testbed.js';

let testbed: WithdrawalTestbed;
let page: Page;

beforeAll(async () => {
  testbed = await WithdrawalTestbed.start();
});
beforeEach(async () => {
  page = await testbed.openAsNewPlayer();
});
afterEach(() => testbed.site.chromium.closeAndExpectNoProblems());
afterAll(() => testbed.stop());

const pressWithdraw = () => press(page, /^Withdraw/);

describe('The withdrawal form', () => {
  it('rejects an amount at the field, without a request', async () => {
    await testbed.fillIn(page, '1001');
    await pressWithdraw();
    await page.getByText('This hero has only 1,000.').waitFor();
    await page.locator('[name=amount][aria-invalid=true]:focus').waitFor();
    expect(testbed.keys).toEqual([]);
  });

  it('shows the balance after a withdrawal', async () => {
    await testbed.fillIn(page, '400');
    await pressWithdraw();
    await press(page, 'Make another withdrawal');
    await page.getByRole('radio', { name: new RegExp(`${testbed.roleName}.*600`) }).waitFor();
  });

  it('asks again before it withdraws more than half of the maximum', async () => {
    const { roleName } = testbed;
    await changeConfig(page, ({ withdraw }) => (withdraw.max = 1000));
    await page.reload();
    await testbed.fillIn(page, '1,000');
    await press(page, 'Withdraw 1,000 yuanbao');
    await page.getByText(`1,000 yuanbao from ${roleName} in Dragon Valley.`).waitFor();
    const confirm = page.getByRole('button', { name: 'Yes, withdraw 1,000 yuanbao' });
    await expectAccessibleLayout(page);
    await press(page, 'Change it');
    await confirm.waitFor({ state: 'detached' });
    expect(testbed.keys).toEqual([]);
    await press(page, 'Withdraw 1,000 yuanbao');
    await confirm.click();
    await page.getByText(`1,000 yuanbao were withdrawn from ${roleName}`).waitFor();
    expect(await testbed.balance()).toBe(0);
  });

  it('shows how much is left today and does not send more', async () => {
    await testbed.site.changeSettings({ withdraw: { daily_max: 500 } });
    await page.reload();
    await page.getByText(/left today: 500$/).waitFor();
    await testbed.fillIn(page, '400');
    await pressWithdraw();
    await press(page, 'Make another withdrawal');
    await page.getByText(/left today: 100$/).waitFor();
    await testbed.fillIn(page, '101');
    await pressWithdraw();
    await page.getByText('Today you may withdraw 100 more.').waitFor();
    expect(testbed.keys).toHaveLength(1);
    await testbed.site.changeSettings({});
  });

  it('keeps what was typed when the session has ended before the request', async () => {
    await testbed.fillIn(page, '400');
    const { account } = testbed;
    await testbed.site.database.query('UPDATE player SET ver = ver + 1 WHERE account = ?', [
      account,
    ]);
    await pressWithdraw();
    await page.getByText('Your session has ended.').waitFor();
    expect(await testbed.keptKey(page)).toBeNull();
    await signIn(page, account);
    await page.getByText('Nothing was sent').waitFor();
    await page.locator('input[type=radio]:checked').waitFor({ state: 'attached' });
    expect(await page.getByLabel('Amount').inputValue()).toBe('400');
    await pressWithdraw();
    await page.getByText(`400 yuanbao were withdrawn from ${testbed.roleName}`).waitFor();
    expect(testbed.world.applications).toEqual([1]);
  });

  it('is replaced by a message when withdrawals are switched off', async () => {
    await changeConfig(page, ({ withdraw }) => (withdraw.enabled = false));
    await page.reload();
    await page.getByText('Withdrawals are switched off at the moment.').waitFor();
  });
});

describe('The list of earlier withdrawals', () => {
  it('shows fifty at a time and filters them by state', async () => {
    const { site, server, role: role_id, roleName: role_name } = testbed;
    const player_id = (await site.player(testbed.account)).id as number;
    const rows = Array.from({ length: 53 }, (_, index) => ({
      player_id,
      server_id: server,
      role_server_id: server,
      role_id,
      role_name,
      amount: 1001 + index,
      status: index === 20 ? 'refused' : 'succeeded',
      order_no: unique('order'),
      created_at: new Date(),
    }));
    await site.database.insert('withdraw', ...rows);
    await page.reload();
    await page.getByText('1,053 yuanbao').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(50);
    await press(page, 'Show older ones');
    await page.getByText('1,001 yuanbao').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(53);
    await page.getByLabel('Show only').selectOption('Refused');
    await page.getByText('1,001 yuanbao').waitFor({ state: 'detached' });
    await page.getByText('1,021 yuanbao').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(1);
    await page.getByLabel('Show only').selectOption('Being checked');
    await page.getByText('There is none.').waitFor();
  });
});
