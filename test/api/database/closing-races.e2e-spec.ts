import type { EntityManager } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Anonymiser } from '../../../src/features/closing/anonymiser.js';
import { PlayerLink } from '../../../src/features/links/player-link.entity.js';
import { PinnedGameNames } from '../../../src/features/withdraw/game/pinned-game-names.js';
import { lockPlayer } from '../../../src/platform/auth/player-lock.js';
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

/** Does `inside` in a transaction with the player's lock, and begins `meanwhile` before the commit. */
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
    // Statements that need no lock, answered while the other one waits.
    for (let i = 0; i < 50; i++) await manager.query('SELECT 1');
  });
  return begun!;
}

const openWithdrawal = (id: number) => (manager: EntityManager) =>
  manager.query(
    `INSERT INTO withdraw (player_id, server_id, role_server_id, role_id, role_name, amount, created_at, status)
     VALUES (${id}, ${w.server}, ${w.server}, ${id + 100_000}, 'hero', 100, '2026-01-01', 'created')`,
  );

describe('Closing and a new withdrawal exclude each other', () => {
  it('so that a request to close waits for one that is being opened, and answers account_busy', async () => {
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

  it('so that an account is not closed while one is being opened', async () => {
    const { id } = await createPlayer(w.service);
    await makeDue(w.service, id);
    const anonymiser = w.service.app.get(Anonymiser);
    const isClosed = await whileLocked(id, openWithdrawal(id), () =>
      anonymiser.close(id, new Date()),
    );
    expect(isClosed).toBe(false);
    expect((await findPlayer(w.service, id)).closedAt).toBeNull();
  });

  it('so that none is opened once the account is closed, though the request was admitted before', async () => {
    const rich = await w.createFundedRole();
    const names = w.service.app.get(PinnedGameNames);
    const find = names.find.bind(names);
    // The last step before the row, when the first check has passed.
    names.find = async (...args) => {
      const found = await find(...args);
      await closeNow(w.service, rich.player.id);
      return found;
    };
    const answer = await w.withdraw(rich, 100).finally(() => (names.find = find));
    expect(answer.body.error).toBe('account_disabled');
    expect(await w.rows({ playerId: rich.player.id })).toEqual([]);
  });
});

describe('Closing and a new link exclude each other', () => {
  it('so that a link waits for the closing, and is refused', async () => {
    const { id, account } = await createPlayer(w.service);
    await makeDue(w.service, id);
    const anonymiser = w.service.app.get(Anonymiser);
    const answer = await whileLocked(
      id,
      (manager) => anonymiser['endWaysIn'](manager, id, new Date()),
      () => w.service.client.post('/api/bind_account', { account, connect_id: unique('identity') }),
    );
    expect(answer.body.error).toBe('account_disabled');
    expect(await w.service.database.getRepository(PlayerLink).findBy({ playerId: id })).toEqual([]);
  });
});
