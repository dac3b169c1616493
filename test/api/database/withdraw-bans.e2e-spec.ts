import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlayerBan } from '../../../src/platform/auth/player-ban.entity.js';
import { lockPlayer } from '../../../src/platform/auth/player-row-lock.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { GameAccountService } from '../../../src/features/withdraw/game/game-account.service.js';
import { banPlayer } from '../../support/api/factories.js';
import { Withdrawals } from '../../support/api/withdrawals.js';

let w: Withdrawals;

beforeAll(async () => {
  w = await Withdrawals.start();
});
afterAll(() => w.stop());

const bans = () => w.service.database.getRepository(PlayerBan);

describe('POST /api/game/withdraw by a banned player', () => {
  it('fails with withdrawal_banned, reason and end, stores no row, and works once the ban is lifted', async () => {
    const rich = await w.createFundedRole();
    const playerId = rich.player.id;
    const told = { reason: 'chargeback', until: null };
    await banPlayer(w.service, rich.player, { scope: 'withdraw', reason: told.reason });
    const refused = await w.withdraw(rich, 100);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: 40305, error: 'withdrawal_banned', ban: told });
    const list = () => w.service.client.get('/api/game/withdraw', { token: rich.token });
    expect((await list()).body.data).toMatchObject({ withdrawals: [], ban: told });
    await bans().update({ playerId }, { liftedAt: new Date() });
    expect((await list()).body.data).toMatchObject({ ban: null });
    expect((await w.withdraw(rich, 100)).status).toBe(200);
  });

  it.each([
    ['all', 'account_disabled'],
    ['withdraw', 'withdrawal_banned'],
  ] as const)(
    'is rejected if a ban of scope %s begins after the first check',
    async (scope, error) => {
      const rich = await w.createFundedRole();
      const names = w.service.app.get(GameAccountService);
      const find = names.find.bind(names);
      // This method runs after the first check and just before the row is written.
      names.find = async (...args) => {
        const found = await find(...args);
        await banPlayer(w.service, rich.player, { scope, reason: 'chargeback' });
        return found;
      };
      const answer = await w.withdraw(rich, 100).finally(() => (names.find = find));
      expect(answer.body).toMatchObject({ error, ban: { reason: 'chargeback', until: null } });
      expect(await w.rows({ playerId: rich.player.id })).toEqual([]);
    },
  );

  it('returns the stored withdrawal when a request from before the ban is repeated', async () => {
    const rich = await w.createFundedRole();
    const { body } = await w.withdraw(rich, 100, { key: 'before-the-ban' });
    await banPlayer(w.service, rich.player, { scope: 'withdraw' });
    const repeat = await w.withdraw(rich, 100, { key: 'before-the-ban' });
    expect(repeat.body.data).toEqual(body.data);
  });

  it('delays a ban inserted by SQL while a withdrawal is being opened', async () => {
    const { player } = await w.createFundedRole();
    let typed: Promise<unknown> | undefined;
    const order: string[] = [];
    await inTransaction(w.service.database, async (manager) => {
      await lockPlayer(manager, player.id);
      typed = banPlayer(w.service, player).then(() => order.push('ban'));
      // These statements need no lock, so they finish while the ban waits.
      for (let i = 0; i < 20; i++) await manager.query('SELECT 1');
      order.push('withdrawal');
    });
    await typed;
    expect(order).toEqual(['withdrawal', 'ban']);
  });
});
