import type { EntityManager } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PersonalDataRemovalService } from '../../../src/features/closing/personal-data-removal.service.js';
import { PlayerLink } from '../../../src/features/links/player-link.entity.js';
import { GameAccountService } from '../../../src/features/withdraw/game/game-account.service.js';
import { lockPlayer } from '../../../src/platform/auth/player-row-lock.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { PASSWORD, unique } from '../../support/accounts.js';
import { closeNow, findPlayer, makeDue } from '../../support/api/closing.js';
import { createPlayer, tokenOf } from '../../support/api/factories.js';
import { Withdrawals } from '../../support/api/withdrawals.js';

let w: Withdrawals;

beforeAll(async () => {
  w = await Withdrawals.start();
});
afterAll(() => w.stop());

/** Runs `inside` in a transaction that holds the player's lock, and starts `meanwhile` before the commit. */
async function whileLocked<T>(
  playerId: number,
  inside: (manager: EntityManager) => Promise<unknown>,
  meanwhile: () => Promise<T>,
): Promise<T> {
  let begun: Promise<T> | undefined;
  await inTransaction(w.service.database, async (manager) => {
    await lockPlayer(manager, playerId);
    await inside(manager);
    begun = meanwhile();
    // These statements need no lock, so they finish while `meanwhile` waits for the lock.
    for (let i = 0; i < 50; i++) await manager.query('SELECT 1');
  });
  return begun!;
}

const openWithdrawal = (id: number) => (manager: EntityManager) =>
  manager.query(
    `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, created_at, status)
     VALUES (${id}, ${w.server}, ${w.server}, ${id + 100_000}, 'hero', 100, '2026-01-01', 'created')`,
  );

describe('Closing an account while a withdrawal is being opened', () => {
  it('delays the closing request, which fails with account_busy', async () => {
    const player = await createPlayer(w.service);
    const answer = await whileLocked(player.id, openWithdrawal(player.id), () =>
      w.service.client.post(
        '/api/account/close',
        { password: PASSWORD },
        { token: tokenOf(w.service, player) },
      ),
    );
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 40909, error: 'account_busy' });
    expect((await findPlayer(w.service, player.id)).closingAt).toBeNull();
  });

  it('does not close the account', async () => {
    const { id } = await createPlayer(w.service);
    await makeDue(w.service, id);
    const removal = w.service.app.get(PersonalDataRemovalService);
    const isClosed = await whileLocked(id, openWithdrawal(id), () => removal.close(id, new Date()));
    expect(isClosed).toBe(false);
    expect((await findPlayer(w.service, id)).closedAt).toBeNull();
  });

  it('rejects the withdrawal after the account is closed, even if its request was admitted before', async () => {
    const rich = await w.createFundedRole();
    const names = w.service.app.get(GameAccountService);
    const find = names.find.bind(names);
    // This method runs after the first check and just before the row is written.
    names.find = async (...args) => {
      const found = await find(...args);
      await closeNow(w.service, rich.player.id);
      return found;
    };
    const answer = await w.withdraw(rich, 100).finally(() => (names.find = find));
    expect(answer.body.error).toBe('unauthorized');
    expect(await w.rows({ playerId: rich.player.id })).toEqual([]);
  });
});

describe('Closing an account while an identity is being linked', () => {
  it('delays the link until the account is closed, and rejects it', async () => {
    const { id, account } = await createPlayer(w.service);
    await makeDue(w.service, id);
    const removal = w.service.app.get(PersonalDataRemovalService);
    const answer = await whileLocked(
      id,
      (manager) => removal['endWaysIn'](manager, id, new Date()),
      () => w.service.client.post('/api/bind_account', { account, connect_id: unique('identity') }),
    );
    expect(answer.body.error).toBe('account_disabled');
    expect(await w.service.database.getRepository(PlayerLink).findBy({ playerId: id })).toEqual([]);
  });
});
