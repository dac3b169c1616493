import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TabStorage } from '../../../test/support/tab-storage.js';
import { type Attempt, forgetAttempt, keepAttempt, keptAttempt } from './attempt';

const attemptOf = (account: string): Attempt => ({
  account,
  key: `key of ${account}`,
  body: { server_id: 1, role_id: 2, amount: 100 },
  roleName: 'Knight',
  serverName: 'Dragon Valley',
  startedAt: 0,
});

beforeEach(() => {
  vi.stubGlobal('sessionStorage', new TabStorage());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('A stored withdrawal attempt', () => {
  it('is kept while another account withdraws in the same tab', () => {
    keepAttempt(attemptOf('first'));
    keepAttempt(attemptOf('second'));
    expect(keptAttempt('first')).toEqual(attemptOf('first'));
    expect(keptAttempt('second')).toEqual(attemptOf('second'));
    expect(keptAttempt('third')).toBeUndefined();
    expect(keptAttempt(null)).toBeUndefined();

    forgetAttempt({ account: 'second' });
    expect(keptAttempt('first')).toEqual(attemptOf('first'));
    expect(keptAttempt('second')).toBeUndefined();
    forgetAttempt({ account: 'first' });
    expect(sessionStorage).toHaveLength(0);
  });

  it('from an earlier release is found only by its account', () => {
    sessionStorage.setItem('CQ-WITHDRAW', JSON.stringify(attemptOf('first')));
    expect(keptAttempt('second')).toBeUndefined();
    keepAttempt(attemptOf('second'));
    forgetAttempt({ account: 'second' });
    expect(keptAttempt('first')).toEqual(attemptOf('first'));

    keepAttempt({ ...keptAttempt('first')!, id: 7 });
    expect(keptAttempt('first')?.id).toBe(7);
    forgetAttempt({ account: 'first' });
    expect(sessionStorage).toHaveLength(0);
  });

  it.each(['', '{', 'null', '{"account":"first"}', '[]'])('is ignored if it is %j', (text) => {
    sessionStorage.setItem('CQ-WITHDRAW:first', text);
    expect(keptAttempt('first')).toBeUndefined();
  });
});
