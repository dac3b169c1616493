import { describe, expect, it } from 'vitest';
import { targetOf } from './search-target';

describe('The search box of the desk', () => {
  it.each([
    [' #7 ', '/withdrawals/7'],
    ['01M7F4G9N25PTY9WAWNAD2MEZB', '/requests/01M7F4G9N25PTY9WAWNAD2MEZB'],
    ['0f8fad5bd9cb469fa16570867728950e', '/requests/0f8fad5bd9cb469fa16570867728950e'],
    ['request: my-own_id', '/requests/my-own_id'],
    ['request:../audit', '/players'],
    ['#7a', '/players'],
    ['Wanderer', '/players'],
  ])('%j leads to %s', (typed, path) => {
    expect(targetOf(typed)).toEqual(
      path === '/players' ? { path, query: { q: typed.trim() } } : { path },
    );
  });

  it('leads nowhere when empty', () => {
    expect(targetOf('  ')).toBeUndefined();
  });
});
