import { describe, expect, it } from 'vitest';
import { changesOf } from './changes';

describe('The changes of an audit entry', () => {
  it('lists only what is different', () => {
    const before = { status: 'normal', port: 7000, sort: 0 };
    expect(changesOf(before, { status: 'maintenance', port: 7000, links: [] })).toEqual([
      ['status', 'normal', 'maintenance'],
      ['sort', '0', '–'],
    ]);
  });

  it('accepts states of any shape', () => {
    expect(changesOf(null, { name: 'New', db_host: null })).toEqual([['name', '–', 'New']]);
    expect(changesOf(null, null)).toEqual([]);
    expect(changesOf([{ scope: 'account' }], [])).toEqual([['', '[{"scope":"account"}]', '[]']]);
    expect(changesOf(null, 'text')).toEqual([['', '–', 'text']]);
  });
});
