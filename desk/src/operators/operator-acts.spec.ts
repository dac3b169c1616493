import { describe, expect, it } from 'vitest';
import type { OperatorList } from '../api/answers';
import { actsOn } from './operator-acts';

describe('The actions offered for an operator', () => {
  const on = (state: 'active' | 'disabled', me = 'max', mayAdmit = true) =>
    actsOn(
      { name: 'anna', role: 'support', state, created_at: '' },
      { operators: [], may_admit: mayAdmit } satisfies OperatorList,
      me,
    );

  it("depend on the operator's state, the acting operator and the four-eyes setting", () => {
    expect(on('active')).toEqual(['reset', 'disable']);
    expect(on('active', 'max', false)).toEqual(['disable']);
    expect(on('disabled')).toEqual(['enable']);
    expect(on('disabled', 'max', false)).toEqual([]);
    expect(on('active', 'anna')).toEqual([]);
  });
});
