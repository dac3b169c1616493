import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GracefulShutdown } from '../../platform/http/server/graceful-shutdown.js';
import type { GameDatabase } from './game/game-database.js';
import type { GmClient } from './game/gm-client.js';
import type { WithdrawalServer } from './game/withdrawal-servers.js';
import type { WithdrawalStore } from './record/withdrawal-store.js';
import { Withdrawal } from './record/withdrawal.entity.js';
import {
  InFlightWithdrawals,
  type WithdrawalOutcomeService,
  OrderSendingService,
} from './order-sending.service.js';

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

function execute(markSending: () => Promise<boolean>, deduct = vi.fn()) {
  const order = { orderNo: 'W1-x', balanceBefore: 100, sentAt: new Date() };
  const store = {
    buildOrder: () => order,
    markSending,
    transition: async () => false,
    findById: async () => withdrawal,
  };
  const orders = new OrderSendingService(
    store as unknown as WithdrawalStore,
    { findRole: async () => ({ balance: 100 }) } as unknown as GameDatabase,
    { deduct } as unknown as GmClient,
    { record: async () => withdrawal } as unknown as WithdrawalOutcomeService,
    {} as InFlightWithdrawals,
  );
  const owner = { id: 2, ver: 0, hasSecondFactor: false, gameAccount: 'hero' };
  return orders.execute(withdrawal, server, owner, 'spec');
}

describe('OrderSendingService', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
  afterEach(() => void vi.useRealTimers());

  it('sends no command before the status "sending" is committed', async () => {
    const deduct = vi.fn();
    const markSending = vi.fn(async () => {
      // A service that does not wait for this would send within these turns.
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      expect(deduct).not.toHaveBeenCalled();
      return true;
    });
    await execute(markSending, deduct);
    expect(markSending).toHaveBeenCalledOnce();
    expect(deduct).toHaveBeenCalledOnce();
  });

  it('sends no command if another process has changed the withdrawal first', async () => {
    const deduct = vi.fn();
    await execute(async () => false, deduct);
    expect(deduct).not.toHaveBeenCalled();
  });

  it('sends no command more than 10 s after the status became "sending"', async () => {
    const deduct = vi.fn();
    await execute(async () => true, deduct);
    const preSendCheck = deduct.mock.calls[0]![3] as () => string | undefined;
    vi.setSystemTime(NOW + 10_000);
    expect(preSendCheck()).toBeUndefined();
    vi.setSystemTime(NOW + 10_001);
    expect(preSendCheck()).toBe('was suspended for 10001 ms before sending');
  });
});

const withTimeLeft = (timeLeft: number) =>
  new InFlightWithdrawals({ timeLeft } as GracefulShutdown);

describe('InFlightWithdrawals at shutdown', () => {
  it('waits for withdrawals in progress', async () => {
    const inFlight = withTimeLeft(5000);
    let done = false;
    void inFlight.track(pause(50).then(() => (done = true)));
    await inFlight.beforeApplicationShutdown();
    expect(done).toBe(true);
  });

  it('does not interrupt recording an outcome that arrives during the wait', async () => {
    const inFlight = withTimeLeft(5000);
    let wasCutShort: boolean | undefined;
    const record = () => pause(50).then(() => (wasCutShort = inFlight.stopSignal.aborted));
    void inFlight.track(pause(20).then(() => void inFlight.track(record())));
    await inFlight.beforeApplicationShutdown();
    expect(wasCutShort).toBe(false);
  });

  it('aborts the withdrawals after the timeout and waits until they have recorded the abort', async () => {
    const inFlight = withTimeLeft(0);
    const heard: string[] = [];
    const call = new Promise((resolve) => inFlight.stopSignal.addEventListener('abort', resolve));
    void inFlight.track(
      call
        .then(() => heard.push('cut short'))
        .then(() => pause(50))
        .then(() => heard.push('written')),
    );
    await inFlight.beforeApplicationShutdown();
    expect(heard).toEqual(['cut short', 'written']);
  });

  it('does not wait if no withdrawal is in flight or if all have failed', async () => {
    const inFlight = withTimeLeft(60_000);
    await expect(inFlight.track(Promise.reject(new Error('no')))).rejects.toThrow('no');
    await inFlight.beforeApplicationShutdown();
  });
});
