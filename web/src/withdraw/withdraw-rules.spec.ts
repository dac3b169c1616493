import { describe, expect, it } from 'vitest';
import { ERROR_TABLE } from '../../../src/http/errors/error-table.js';
import { isFinal, WITHDRAWAL_STATUSES } from '../../../src/withdraw/record/withdrawal-states.js';
import { amountProblem } from './amount-problem';
import { leavesOutcomeOpen, pauseBeforeAsking, STILL_UNDER_WAY_MS } from './outcome';
import { isSettled, WITHDRAWAL_STATES } from './withdrawal-states';

describe('an amount', () => {
  const bounds = { min: 100, max: 1000, balance: 500 };
  it.each([
    ['100', undefined],
    ['500', undefined],
    ['99', 'min'],
    ['501', 'balance'],
    ['1001', 'max'],
    ['', 'whole'],
    ['1e3', 'whole'],
    ['12.5', 'whole'],
    ['-100', 'whole'],
    ['9'.repeat(16), 'whole'],
  ])('of %j: %s', (text, problem) => {
    expect(amountProblem(text, bounds)).toBe(problem);
  });
});

describe('after a withdrawal was sent', () => {
  it('only these answers say for certain that nothing moved', () => {
    const certain = Object.keys(ERROR_TABLE).filter(
      (error) => !leavesOutcomeOpen({ error, isStored: false }),
    );
    expect(certain).toEqual([
      'invalid_request',
      'server_not_found',
      'role_not_found',
      'server_unavailable',
      'withdrawal_open',
      'idempotency_key_reused',
      'insufficient_balance',
      'amount_out_of_range',
      'withdrawal_refused',
      'withdrawal_disabled',
      'game_server_unavailable',
    ]);
    expect(leavesOutcomeOpen({ error: 'network', isStored: false })).toBe(true);
    expect(leavesOutcomeOpen({ error: 'service_unavailable', isStored: true })).toBe(false);
  });

  it('no refusal of a repeat is certain while an earlier request may be under way, but for the stored one', () => {
    const open = (isStored: boolean, since: number) =>
      Object.keys(ERROR_TABLE).filter((error) => leavesOutcomeOpen({ error, isStored }, since));
    expect(open(false, STILL_UNDER_WAY_MS - 1)).toEqual(Object.keys(ERROR_TABLE));
    expect(open(false, -1)).toEqual(Object.keys(ERROR_TABLE));
    expect(open(true, 0)).toEqual([]);
    expect(open(false, STILL_UNDER_WAY_MS)).not.toContain('game_server_unavailable');
    expect(open(false, STILL_UNDER_WAY_MS)).toContain('service_unavailable');
  });

  it('the outcome is known in three states, the final ones of the service', () => {
    expect(WITHDRAWAL_STATES).toEqual(WITHDRAWAL_STATUSES);
    const settled = WITHDRAWAL_STATES.filter((status) => isSettled({ status }));
    expect(settled).toEqual(['succeeded', 'refused', 'failed']);
    expect(settled).toEqual(WITHDRAWAL_STATUSES.filter(isFinal));
  });

  it('the pauses between questions grow, up to a minute', () => {
    const pauses = [0, 1, 2, 3, 20].map(pauseBeforeAsking);
    expect(pauses.toSorted((a, b) => a - b)).toEqual(pauses);
    expect(pauses[0]).toBe(3000);
    expect(pauses.at(-1)).toBe(60_000);
  });
});
