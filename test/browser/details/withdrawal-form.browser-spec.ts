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

const review = () => press(page, 'Review withdrawal');

describe('The withdrawal form', () => {
  it('rejects an invalid amount at the field without sending a request', async () => {
    await testbed.fillIn(page, '1001');
    await review();
    await page.getByText('This hero has only 1,000.').waitFor();
    await page.locator('[name=amount][aria-invalid=true]:focus').waitFor();
    expect(testbed.keys).toEqual([]);
  });

  it('does not offer a hero below the minimum, and explains why', async () => {
    const { account, server, world } = testbed;
    const name = unique('beggar');
    await world.roles.createRole(server, { account, name, balance: 99 });
    await page.reload();
    const poor = page.getByRole('radio', { name: new RegExp(`${name}.*Below the minimum of 100`) });
    expect(await poor.isDisabled()).toBe(true);
  });

  it('shows the balance after a withdrawal', async () => {
    await testbed.withdraw(page, '400');
    await press(page, 'Make another withdrawal');
    await page.getByRole('radio', { name: new RegExp(`${testbed.roleName}.*600`) }).waitFor();
  });

  it('shows the resulting balance in a review before it sends anything', async () => {
    const { roleName } = testbed;
    await testbed.fillIn(page, '100');
    await review();
    await page.getByRole('heading', { name: 'Review your withdrawal' }).waitFor();
    const facts = await page.locator('dl').innerText();
    expect(facts.split('\n')).toEqual([
      'Realm',
      'Dragon Valley',
      'Hero',
      roleName,
      'Amount',
      '100 yuanbao',
      'Balance now',
      '1,000 yuanbao',
      'Balance after',
      '900 yuanbao',
    ]);
    await expectAccessibleLayout(page);
    await press(page, 'Change');
    await page.locator('[name=amount]:focus').waitFor();
    expect(testbed.keys).toEqual([]);
    await testbed.confirm(page);
    await page.getByText(`100 yuanbao were withdrawn from ${roleName}`).waitFor();
    expect(await testbed.balance()).toBe(900);
  });

  it('treats a double click on its button as one click, and confirms nothing', async () => {
    await testbed.fillIn(page, '400');
    const button = page.getByRole('button', { name: 'Review withdrawal' });
    const { x, y } = (await button.boundingBox())!;
    await button.click();
    const confirm = page.getByRole('button', { name: 'Withdraw 400 yuanbao' });
    // The second click is sent to the confirm button, regardless of the layout.
    await confirm.dispatchEvent('click', { detail: 2, clientX: x, clientY: y });
    await page.getByRole('heading', { name: 'Review your withdrawal' }).waitFor();
    expect(testbed.keys).toEqual([]);
  });

  it('shows what is left of the daily limit and does not send a larger amount', async () => {
    await testbed.site.changeSettings({ withdraw: { daily_max: 500 } });
    await page.reload();
    await page.getByText(/left today: 500$/).waitFor();
    await testbed.withdraw(page, '400');
    await press(page, 'Make another withdrawal');
    await page.getByText(/left today: 100$/).waitFor();
    await testbed.fillIn(page, '101');
    await review();
    await page.getByText('You can withdraw 100 more today.').waitFor();
    expect(testbed.keys).toHaveLength(1);
    await testbed.site.changeSettings({});
  });

  it('keeps typed values if the session has ended before the request', async () => {
    await testbed.fillIn(page, '400');
    const { account } = testbed;
    await testbed.site.database.query('UPDATE player SET ver = ver + 1 WHERE account = ?', [
      account,
    ]);
    await review();
    await page.getByText('Your session has ended.').waitFor();
    expect(await testbed.keptKey(page)).toBeNull();
    await signIn(page, account);
    await page.getByText('Nothing was sent').waitFor();
    await page.locator('input[type=radio]:checked').waitFor({ state: 'attached' });
    expect(await page.getByLabel('Amount').inputValue()).toBe('400');
    await testbed.confirm(page);
    await page.getByText(`400 yuanbao were withdrawn from ${testbed.roleName}`).waitFor();
    expect(testbed.world.applications).toEqual([1]);
  });

  it('is replaced by the reason and the end of a pause, which the account page shows too', async () => {
    const pause = 'UPDATE player SET withdraw_paused_at = ? WHERE account = ?';
    await testbed.site.database.query(pause, [new Date(), testbed.account]);
    await page.reload();
    await page.getByText('Your password was reset, your e-mail changed').waitFor();
    await page.getByText(/^You can withdraw again from .+\.$/).waitFor();
    expect(await page.getByLabel('Amount').count()).toBe(0);
    await expectAccessibleLayout(page);
    // On a phone, the panel is hardly taller than its message.
    await page.setViewportSize({ width: 390, height: 664 });
    const panel = page.locator('.panel').first();
    const message = panel.getByRole('status');
    const height = async (box: typeof panel) => (await box.boundingBox())!.height;
    expect((await height(panel)) - (await height(message))).toBeLessThan(80);
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await page.getByText(/^You can withdraw again from .+\.$/).waitFor();
  });

  it('shows the review again, without an error, if the player does not confirm, and Back leads to the form', async () => {
    await testbed.site.ageConfirmations();
    await testbed.withdraw(page, '400');
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await dialog.getByLabel('Password', { exact: true }).waitFor();
    expect(await page.getByText('Sending…').count()).toBe(0);
    expect(await testbed.keptKey(page)).toBeNull();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Review your withdrawal' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.goBack();
    await page.locator('[name=amount]:focus').waitFor();
    expect(await page.getByLabel('Amount').inputValue()).toBe('400');
    expect(await page.getByRole('radio', { name: testbed.roleName }).isChecked()).toBe(true);
    expect(await testbed.balance()).toBe(1000);
  });

  it('is replaced by a message once the daily limit leaves too little', async () => {
    await testbed.site.changeSettings({ withdraw: { daily_max: 450 } });
    await page.reload();
    await testbed.withdraw(page, '400');
    await page.getByText('400 yuanbao were withdrawn').waitFor();
    await press(page, 'Make another withdrawal');
    await page.getByText('Only 50 is left today').waitFor();
    expect(await page.getByLabel('Amount').count()).toBe(0);
    await testbed.site.changeSettings({});
  });

  it('says at every step where the amount goes, but only if the settings contain a destination', async () => {
    await page.getByText('The yuanbao is deducted from the hero in the game.').waitFor();
    expect(await page.getByText('Where it goes').count()).toBe(0);
    const destination = { zh: '商城余额', en: 'your balance in the shop' };
    await changeConfig(page, ({ withdraw }) => (withdraw.destination = destination));
    await page.reload();
    await page.getByText('Where it goes: your balance in the shop').waitFor();
    await testbed.fillIn(page, '100');
    await review();
    await page.getByRole('heading', { name: 'Review your withdrawal' }).waitFor();
    expect(await page.locator('dl').innerText()).toMatch(
      /\nWhere it goes\nyour balance in the shop$/,
    );
    await press(page, 'Withdraw 100 yuanbao');
    const outcome = page.getByRole('status').filter({ hasText: 'yuanbao were withdrawn' });
    await outcome.getByText('Where it goes: your balance in the shop').waitFor();
    await press(page, 'Make another withdrawal');
    await press(page, '中文');
    await page.getByText('去向：商城余额').waitFor();
  });

  it('is replaced by a message while withdrawals are switched off', async () => {
    await changeConfig(page, ({ withdraw }) => (withdraw.enabled = false));
    await page.reload();
    await page.getByText('Withdrawals are switched off at the moment.').waitFor();
  });
});

describe('The list of earlier withdrawals', () => {
  it('shows fifty withdrawals at a time and filters them by state', async () => {
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
    await page.getByText('No matching withdrawals').waitFor();
  });
});
