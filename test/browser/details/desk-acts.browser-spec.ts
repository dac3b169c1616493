import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../support/accounts.js';
import { Client } from '../../support/api/client.js';
import { expectAccessibleLayout } from '../../support/browser/chromium.js';
import {
  createDeskFixture,
  type DeskFixture,
  HOSTILE,
} from '../../support/browser/desk-fixture.js';
import {
  act,
  DESK_PASSWORD,
  DeskTestbed,
  untilLoaded,
} from '../../support/browser/desk-testbed.js';
import { heading } from '../../support/browser/player-actions.js';
import { until } from '../../support/until.js';

let desk: DeskTestbed;
let data: DeskFixture;

beforeAll(async () => {
  desk = await DeskTestbed.start();
  data = await createDeskFixture(desk.site);
});
afterEach(() => desk.site.chromium.closeAndExpectNoProblems());
afterAll(() => desk.stop());

async function exported(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name }).click();
  return readFileSync(await (await download).path(), 'utf8');
}

describe('A second reviewer', () => {
  it('declines a proposal with a reason, which the first operator sees', async () => {
    const first = await desk.open('tara', `/withdrawals/${data.large}`);
    await act(first, 'Settle as failed', 'Settle as failed', 'the ledger has none');
    await first.getByText('This is your proposal.').waitFor();
    expect(await first.getByRole('button', { name: 'Decline proposal' }).count()).toBe(0);
    const second = await desk.open('theo', `/withdrawals/${data.large}`);
    await act(second, 'Decline proposal', 'Decline proposal', HOSTILE);
    await second.getByText('Proposal declined.').waitFor();
    await first.getByText(/theo declined tara’s proposal “failed”/).waitFor();
    await first.getByText(HOSTILE).last().waitFor();
    await first.getByRole('button', { name: 'Settle as succeeded' }).waitFor();
    await expectAccessibleLayout(first);
  });
});

describe('Several withdrawals', () => {
  it('are settled together after a second operator has also seen their evidence', async () => {
    const settle = async (page: Page) => {
      await page.getByRole('button', { name: 'Select 2 with unknown outcome' }).click();
      await page.getByRole('button', { name: 'Settle together (2)' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(`the game server said ${HOSTILE}`).first().waitFor();
      await dialog.getByLabel('Internal note').fill('none is in the log');
      await dialog.getByLabel('Type 2 to confirm').fill('2');
      await dialog.getByRole('button', { name: 'Settle 2' }).click();
      await dialog.getByText('Choose the outcome.').waitFor();
      await expectAccessibleLayout(page);
      await dialog.getByLabel('Outcome of all of them').selectOption('failed');
      return dialog;
    };
    const first = await desk.open('tara', '/withdrawals');
    const proposal = await settle(first);
    await proposal.getByText('with 25,500 in total').waitFor();
    await proposal.getByText('This sum needs two people').waitFor();
    await proposal.getByText('a hanging command may still be carried out').waitFor();
    await proposal.getByRole('button', { name: 'Settle 2' }).click();
    await first.getByText('Proposed. A second person has to agree.').waitFor();
    const second = await desk.open('theo', '/withdrawals');
    const approval = await settle(second);
    await approval.getByText('They were proposed by tara.').waitFor();
    await approval.getByRole('button', { name: 'Settle 2' }).click();
    await second.getByText('Settled.').waitFor();
    const statuses = await desk.site.database.query(
      `SELECT DISTINCT status FROM withdraw WHERE id IN (${data.small}, ${data.large})`,
    );
    expect(statuses).toEqual([{ status: 'failed' }]);
    await desk.site.database.query(
      `UPDATE withdraw SET status = 'unknown' WHERE id IN (${data.small}, ${data.large})`,
    );
  });
});

describe('The player page', () => {
  it('ends one of two sessions', async () => {
    const login = async (agent: string) => {
      const body = { account: data.account, password: PASSWORD };
      const headers = { 'User-Agent': agent };
      const answer = await new Client(desk.site.url).post('/api/login', body, { headers });
      return answer.body.data.token as string;
    };
    const firefox = await login('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0');
    const phone = await login(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1',
    );
    await desk.site.database.query(
      `UPDATE session SET trusted_until = ? WHERE player_id = ? AND browse LIKE 'Firefox%'`,
      [new Date(Date.now() + 86_400_000), data.player],
    );
    const page = await desk.open('sue', `/players/${data.player}`, { width: 360 });
    await page.getByText('No second step until').waitFor();
    await page.getByRole('button', { name: /^End session.*Firefox/ }).click();
    const dialog = page.getByRole('dialog', { name: 'End session' });
    await dialog.getByText(/on one device: Firefox on Linux, 127/).waitFor();
    await dialog.getByText('The next sign-in there needs the second step again.').waitFor();
    await expectAccessibleLayout(page);
    await dialog.getByLabel('Internal note').fill('ticket 7');
    await dialog.getByRole('button', { name: 'End session' }).click();
    await page.getByText('Session ended.').waitFor();
    await page
      .getByRole('button', { name: /^End session.*Firefox/ })
      .waitFor({ state: 'detached' });
    await page.getByText('sue ended a session').waitFor();
    const answers = [firefox, phone].map((token) =>
      new Client(desk.site.url).get('/api/sessions', { token }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 200]);
  });
});

describe('The chat page', () => {
  it('leads from a message to banning its player, with the message in the reason', async () => {
    const page = await desk.open('mo', '/chat?words=yuanbao');
    await page.getByRole('link', { name: 'Ban…' }).click();
    await heading(page, data.account).waitFor();
    const dialog = page.getByRole('dialog', { name: 'Ban' });
    expect(await dialog.getByLabel('Message to the player').inputValue()).toBe('');
    const note = dialog.getByLabel('Internal note', { exact: true });
    expect(await note.inputValue()).toMatch(/^Chat message \d+$/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL(`${desk.url}/players/${data.player}`);
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    expect(await note.inputValue()).toBe('');
    await page.goBack();
    await heading(page, 'Chat').waitFor();
  });

  it('shows no ban form to a role that may not ban', async () => {
    const page = await desk.open('sue', `/players/${data.player}?chat=1`);
    await heading(page, data.account).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

describe('A desk page without a connection', () => {
  it('says that the next page is waiting, and opens it once the connection is back', async () => {
    const page = await desk.open('sue', '/players', { width: 360 });
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Servers' }).click();
    await page.getByText('No connection. The page will open when').waitFor();
    await expectAccessibleLayout(page);
    await page.context().setOffline(false);
    await heading(page, 'Servers').waitFor();
  });
});

describe('An export', () => {
  it('contains the rows that match the applied filters', async () => {
    const page = await desk.open('mo', '/chat?words=yuanbao');
    await page.getByLabel('Words').fill('not applied yet');
    const chat = (await exported(page, 'Export CSV')).trim().split('\r\n');
    expect(chat).toHaveLength(2);
    expect(chat[1]).toContain(`sell yuanbao ${HOSTILE}`);
    const money = await desk.open('tara', '/withdrawals?status=succeeded');
    const rows = (await exported(money, 'Export CSV')).trim().split('\r\n');
    expect(rows.slice(1).map((row) => row.split(',')[2])).toEqual(['succeeded']);
    const page2 = await desk.open('sue', '/withdrawals');
    expect(await page2.getByRole('link', { name: 'Export CSV' }).count()).toBe(0);
  });
});

describe('The account page', () => {
  it('lets an admin add, disable and enable operators, and shows a password once', async () => {
    const page = await desk.open('ada', '/');
    await page.getByRole('link', { name: 'Your account' }).click();
    await heading(page, 'Your account').waitFor();
    await page.getByText('Under four-eyes approval, add, reset and enable operators').waitFor();
    await act(page, 'Disable alan', 'Disable', 'left us');
    await page.getByText('Disabled.').waitFor();
    await page.getByRole('button', { name: 'Disable alan' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Disable ada' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^(Reset|Enable)/ }).count()).toBe(0);

    await desk.site.changeSettings({ desk: { four_eyes_above: 0 } });
    await until(async () => {
      await page.reload();
      await untilLoaded(page);
      return (await page.getByRole('button', { name: 'Add an operator' }).count()) === 1;
    });
    await act(page, 'Enable alan', 'Enable', 'is back');
    await page.getByRole('button', { name: 'Disable alan' }).waitFor();
    await page.getByRole('button', { name: 'Add an operator' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add an operator' });
    await dialog.getByLabel('Name').fill('Anna B');
    await dialog.getByLabel('Internal note').fill('joins us');
    await dialog.getByRole('button', { name: 'Add an operator' }).click();
    await dialog.getByText('Check the name').waitFor();
    await expectAccessibleLayout(page);
    await dialog.getByLabel('Name').fill('anna');
    await dialog.getByRole('button', { name: 'Add an operator' }).click();
    const password = await page.locator('code').innerText();
    await page
      .getByRole('button', { name: 'Add an operator' })
      .and(page.locator(':focus'))
      .waitFor();
    const signIn = { name: 'anna', password };
    expect((await new Client(desk.url).post('/api/sign_in', signIn)).status).toBe(200);
    await expectAccessibleLayout(page);
    await page.reload();
    await page.getByRole('button', { name: 'Disable anna' }).waitFor();
    expect(await page.getByText(password).count()).toBe(0);
  });

  it('lets an operator change their own password, on a phone and in Chinese', async () => {
    const page = await desk.open('sue', '/account', { width: 320, language: 'zh-CN' });
    expect(await page.getByRole('heading', { name: '运营人员' }).count()).toBe(0);
    await page.getByRole('button', { name: '修改密码' }).click();
    await page.getByText('至少需要 12 个字符。').waitFor();
    await page.getByLabel('当前密码').fill('a wrong one');
    await page.getByLabel('新密码').fill('a long one of my own');
    await page.getByRole('button', { name: '修改密码' }).click();
    await page.getByText('用户名、密码或验证码错误。').waitFor();
    await page.getByLabel('当前密码').fill(DESK_PASSWORD);
    await page.getByRole('button', { name: '修改密码' }).click();
    await page.getByText('密码已修改，其他会话已结束。').waitFor();
    await expectAccessibleLayout(page);
  });
});
