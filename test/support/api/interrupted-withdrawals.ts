import { sqlTime } from '../../../src/platform/database/sql.js';
import { WithdrawalStore } from '../../../src/features/withdraw/record/withdrawal-store.js';
import { until } from '../until.js';
import { callerOf, type Withdrawals } from './withdrawals.js';

/** Creates a withdrawal whose command hangs in the game server. */
export async function hanging(w: Withdrawals) {
  const owner = await w.createFundedRole(1000);
  w.game.fault = () => 'hang_before';
  const answer = w.withdraw(owner, 100);
  await until(() => w.game.hangingCount === 1);
  w.game.fault = () => 'none';
  return { ...owner, answer, row: await w.rowOf(owner) };
}

/** Undoes the status "sending", like a failover that loses the last second. */
export async function loseStepToSending(
  { service }: Withdrawals,
  id: number,
  status = 'created',
): Promise<void> {
  await service.database.query(
    `UPDATE withdraw SET status = '${status}', order_no = NULL, sent_at = NULL,
       balance_before = NULL, gm_host = NULL, gm_port = NULL, gm_path = NULL WHERE id = ${id}`,
  );
  await service.database.query(
    `DELETE FROM withdraw_event WHERE withdraw_id = ${id} AND to_status = 'sending'`,
  );
}

/** Creates a withdrawal that a dead process left in this status, with the idempotency key `left`. */
export async function leftBehind(w: Withdrawals, status: 'created' | 'sending') {
  const store = w.service.app.get(WithdrawalStore);
  const owner = await w.createFundedRole(1000);
  const request = {
    playerId: owner.player.id,
    serverId: w.server,
    roleServerId: w.server,
    roleId: owner.role,
    roleName: 'left',
    idempotencyKey: 'left',
    requestId: null,
    address: null,
    sessionId: null,
    amount: 100,
    createdAt: new Date(),
  };
  const nameInGame = owner.player.account;
  const day = { most: 1000, from: sqlTime(0), to: sqlTime(new Date()), nameInGame };
  const { withdrawal } = await store.create(request, day, callerOf(owner.player));
  const gm = { host: '127.0.0.1', port: w.game.port, path: '/gm' };
  if (status === 'sending') {
    const order = store.buildOrder(withdrawal, 1000, gm);
    await store.markSending(withdrawal, order, owner.player);
  }
  return { ...owner, row: withdrawal };
}
