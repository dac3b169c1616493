import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GameDatabase } from './game/game-database.js';
import type { GmClient } from './game/gm-client.js';
import type { WithdrawalServer } from './game/withdrawal-servers.js';
import type { InFlightWithdrawals } from './in-flight-withdrawals.js';
import type { OutcomeRecorder } from './outcome-recorder.js';
import type { WithdrawalStore } from './record/withdrawal-store.js';
import { Withdrawal } from './record/withdrawal.entity.js';
import { WithdrawalDispatcher } from './withdrawal-dispatcher.js';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const withdrawal = Object.assign(new Withdrawal(), {
  id: 1,
  playerId: 2,
  roleServerId: 3,
  roleId: 4,
  amount: 100,
  status: 'created',
  createdAt: new Date(NOW),
});
const gm = { host: 'gm.example', port: 1, path: '/gm' };
const server = { id: 3, gm } as WithdrawalServer;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => void vi.useRealTimers());

function dispatch(markSending: () => Promise<boolean>, deduct = vi.fn()) {
  const order = { orderNo: 'W1-x', balanceBefore: 100, sentAt: new Date() };
  const store = { buildOrder: () => order, markSending, findById: async () => withdrawal };
  const dispatcher = new WithdrawalDispatcher(
    store as unknown as WithdrawalStore,
    { findRole: async () => ({ balance: 100 }) } as unknown as GameDatabase,
    { deduct } as unknown as GmClient,
    { record: async () => withdrawal } as unknown as OutcomeRecorder,
    {} as InFlightWithdrawals,
  );
  return dispatcher.execute(withdrawal, server, 'hero', 'spec');
}

describe('WithdrawalDispatcher', () => {
  it('sends no command before the step to sending is committed', async () => {
    const deduct = vi.fn();
    const markSending = vi.fn(async () => {
      // A dispatcher that does not wait for this would send within these turns.
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      expect(deduct).not.toHaveBeenCalled();
      return true;
    });
    await dispatch(markSending, deduct);
    expect(markSending).toHaveBeenCalledOnce();
    expect(deduct).toHaveBeenCalledOnce();
  });

  it('sends no command if another process has moved the withdrawal first', async () => {
    const deduct = vi.fn();
    await dispatch(async () => false, deduct);
    expect(deduct).not.toHaveBeenCalled();
  });

  it('sends no command later than 10 s after the step to sending', async () => {
    const deduct = vi.fn();
    await dispatch(async () => true, deduct);
    const preSendCheck = deduct.mock.calls[0]![3] as () => string | undefined;
    vi.setSystemTime(NOW + 10_000);
    expect(preSendCheck()).toBeUndefined();
    vi.setSystemTime(NOW + 10_001);
    expect(preSendCheck()).toBe('stood still for 10001 ms before sending');
  });
});
