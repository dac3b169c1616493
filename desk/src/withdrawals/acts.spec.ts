import { describe, expect, it } from 'vitest';
import type { WithdrawalDetails } from '../api/answers';
import { actsOf } from './acts';

const detailsOf = (may: string[], outcome?: string) =>
  ({ may, settle_request: outcome ? { outcome } : null }) as WithdrawalDetails;

describe('The actions on a withdrawal page', () => {
  it('are the ones that the service allows', () => {
    expect(actsOf(detailsOf([]))).toEqual([]);
    expect(actsOf(detailsOf(['settle']))).toEqual(['succeeded', 'failed']);
    expect(actsOf(detailsOf(['reopen', 'settle_cancel']))).toEqual(['cancel', 'reopen']);
  });

  it("include only the requested outcome while the first operator's request is pending", () => {
    expect(actsOf(detailsOf(['settle', 'settle_decline'], 'failed'))).toEqual([
      'failed',
      'decline',
    ]);
  });
});
