import { describe, expect, it } from 'vitest';
import { ERROR_TABLE } from '../../../src/platform/http/errors/error-table.js';
import {
  isFinal,
  WITHDRAWAL_STATUSES,
} from '../../../src/features/withdraw/record/withdrawal-status.js';
import { amountProblem, readAmount } from './amount';
import { leavesOutcomeOpen, STILL_UNDER_WAY_MS } from './outcome';
import { isSettled, WITHDRAWAL_STATES } from './withdrawal-states';

describe('A withdrawal amount', () => {
  const bounds = { min: 100, max: 1000, balance: 500, left: 450 };
  it.each([
    ['100', undefined],
    ['450', undefined],
    ['451', 'daily'],
    ['500', 'daily'],
    ['99', 'min'],
    ['501', 'balance'],
    ['1001', 'max'],
    ['', 'whole'],
    ['1e3', 'whole'],
    ['12.5', 'whole'],
    ['-100', 'whole'],
    ['9'.repeat(16), 'whole'],
  ])('of %j has the problem %s', (text, problem) => {
    expect(amountProblem(text, bounds)).toBe(problem);
  });

  it.each([
    ['1,000', 1000],
    ['12 345 678', 12_345_678],
    ["1'000", 1000],
    ['１，０００', 1000],
    [' 250 ', 250],
    ['1,00', null],
    ['1,0000', null],
    ['1.000', null],
    ['1,000 2', null],
    ['一百', null],
  ])('typed as %j is read as %s', (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });
});

describe('After a withdrawal has been sent', () => {
  it('only certain errors prove that nothing was deducted', () => {
    const certain = Object.keys(ERROR_TABLE).filter(
      (error) => !leavesOutcomeOpen({ error, isStored: false }),
    );
    expect(certain).toEqual([
      'invalid_request',
      'unauthorized',
      'sign_in_again',
      'account_disabled',
      'withdrawal_banned',
      'server_not_found',
      'role_not_found',
      'server_unavailable',
      'withdrawal_open',
      'idempotency_key_reused',
      'insufficient_balance',
      'amount_out_of_range',
      'withdrawal_refused',
      'withdrawal_disabled',
      'withdrawal_paused',
      'game_server_unavailable',
    ]);
    expect(leavesOutcomeOpen({ error: 'network', isStored: false })).toBe(true);
    expect(leavesOutcomeOpen({ error: 'service_unavailable', isStored: true })).toBe(false);
  });

  it('an error for a repeated request proves nothing while the first request may still be running', () => {
    const open = (isStored: boolean, since: number) =>
      Object.keys(ERROR_TABLE).filter((error) => leavesOutcomeOpen({ error, isStored }, since));
    expect(open(false, STILL_UNDER_WAY_MS - 1)).toEqual(Object.keys(ERROR_TABLE));
    expect(open(false, -1)).toEqual(Object.keys(ERROR_TABLE));
    expect(open(true, 0)).toEqual([]);
    expect(open(false, STILL_UNDER_WAY_MS)).not.toContain('game_server_unavailable');
    expect(open(false, STILL_UNDER_WAY_MS)).toContain('service_unavailable');
  });

  it("the outcome is known in the service's three final states", () => {
    expect(WITHDRAWAL_STATES).toEqual(WITHDRAWAL_STATUSES);
    const settled = WITHDRAWAL_STATES.filter((status) => isSettled({ status }));
    expect(settled).toEqual(['succeeded', 'refused', 'failed']);
    expect(settled).toEqual(WITHDRAWAL_STATUSES.filter(isFinal));
  });
});
