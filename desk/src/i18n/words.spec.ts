import { describe, expect, it } from 'vitest';
import { ERROR_TABLE } from '../../../src/platform/http/errors/error-table.js';
import { INSTANCE_PROBLEMS } from '../../../src/operators/actions/instances/instance-problems.js';
import { actKey, AUDIT_ACTS } from '../audit/audit-acts';
import { en } from './en';
import { zh } from './zh';

describe.each(Object.entries({ en, zh }))('The texts of the desk in %s', (_, words) => {
  it('include each error of the desk', () => {
    const own = Object.entries(ERROR_TABLE).filter(([, [, when]]) => when.startsWith('desk only:'));
    expect(own.length).toBeGreaterThan(1);
    expect(Object.keys(words.errors)).toEqual(expect.arrayContaining(own.map(([name]) => name)));
  });

  it('name each act that the audit page filters by', () => {
    expect(Object.keys(words.auditActs).toSorted()).toEqual(AUDIT_ACTS.map(actKey).toSorted());
  });

  it('include each problem of an instance', () => {
    expect(Object.keys(words.problems)).toEqual(Object.keys(INSTANCE_PROBLEMS));
  });
});
