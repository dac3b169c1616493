import { describe, expect, it } from 'vitest';
import { changesOf } from './changes';
import { subjectOf } from './subject';

describe('The subject of the audit filter', () => {
  const kinds = { player: '玩家', server: '区服' };

  it.each([
    ['区服 7', 'server 7'],
    ['区服7', 'server 7'],
    ['server 7', 'server 7'],
    [' Wanderer ', 'Wanderer'],
  ])('turns %j into the subject %j', (typed, subject) => {
    expect(subjectOf(typed, kinds)).toBe(subject);
  });
});

describe('The change list of an audit entry', () => {
  it('contains only fields that differ', () => {
    const before = { status: 'normal', port: 7000, sort: 0 };
    expect(changesOf(before, { status: 'maintenance', port: 7000, links: [] })).toEqual([
      ['status', 'normal', 'maintenance'],
      ['sort', 0, null],
    ]);
  });

  it('accepts states of any shape', () => {
    expect(changesOf(null, { name: 'New', db_host: null })).toEqual([['name', null, 'New']]);
    expect(changesOf(null, null)).toEqual([]);
    expect(changesOf([{ scope: 'account' }], [])).toEqual([['', [{ scope: 'account' }], []]]);
    expect(changesOf(null, 'text')).toEqual([['', null, 'text']]);
  });
});
