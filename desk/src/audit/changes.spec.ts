import { expect, it } from 'vitest';
import { changesOf } from './changes';

it('names only what is different', () => {
  const before = { status: 'normal', port: 7000, sort: 0 };
  expect(changesOf(before, { status: 'maintenance', port: 7000, links: [] })).toEqual([
    ['status', 'normal', 'maintenance'],
    ['sort', '0', '–'],
  ]);
});

it('takes a state of any form', () => {
  expect(changesOf(null, { name: 'New', db_host: null })).toEqual([['name', '–', 'New']]);
  expect(changesOf(null, null)).toEqual([]);
  expect(changesOf([{ scope: 'account' }], [])).toEqual([['', '[{"scope":"account"}]', '[]']]);
  expect(changesOf(null, 'text')).toEqual([['', '–', 'text']]);
});
