import { describe, expect, it } from 'vitest';
import { ERROR_TABLE } from '../../../src/platform/http/errors/error-table.js';
import { INSTANCE_PROBLEMS } from '../../../src/operators/actions/instances/instance-status.js';
import { actKey, AUDIT_ACTS } from '../audit/audit-acts';
import { en } from './en';
import { zh } from './zh';

const MAILS = import.meta.glob('../../../src/platform/mail/templates/*/subject.hbs');

describe.each(Object.entries({ en, zh }))('The desk texts in %s', (_, words) => {
  it('cover every desk error', () => {
    const own = Object.entries(ERROR_TABLE).filter(([, [, when]]) => when.startsWith('desk only:'));
    expect(own.length).toBeGreaterThan(0);
    expect(Object.keys(words.errors)).toEqual(expect.arrayContaining(own.map(([name]) => name)));
  });

  it('name every action that the audit page filters by', () => {
    expect(Object.keys(words.auditActs).toSorted()).toEqual(AUDIT_ACTS.map(actKey).toSorted());
    const kinds = AUDIT_ACTS.map((act) => act.split('.')[0]);
    expect(Object.keys(words.auditKinds)).toEqual(expect.arrayContaining(kinds));
  });

  it('name every error that a player can get', () => {
    expect(Object.keys(words.outcomes)).toEqual(expect.arrayContaining(Object.keys(ERROR_TABLE)));
  });

  it("do not end an action's name with a preposition or an article", () => {
    const dangling = Object.values(words.auditActs).filter((act) => / (of|the|a|to)$/.test(act));
    expect(dangling).toEqual([]);
  });

  it('name every e-mail', () => {
    const kinds = Object.keys(MAILS).map((path) => path.split('/').at(-2)!.replaceAll('-', '_'));
    expect(kinds.length).toBeGreaterThan(10);
    expect(Object.keys(words.mails).toSorted()).toEqual(kinds.toSorted());
  });

  it('cover every instance problem', () => {
    expect(Object.keys(words.problems)).toEqual(Object.keys(INSTANCE_PROBLEMS));
  });
});
