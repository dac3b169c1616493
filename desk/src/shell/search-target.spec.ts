import { describe, expect, it } from 'vitest';
import { targetOf, thingTarget } from './search-target';

describe("The desk's search box", () => {
  it.each([
    [' #7 ', '/withdrawals/7'],
    ['01M7F4G9N25PTY9WAWNAD2MEZB', '/requests/01M7F4G9N25PTY9WAWNAD2MEZB'],
    ['0f8fad5bd9cb469fa16570867728950e', '/requests/0f8fad5bd9cb469fa16570867728950e'],
    ['W42-0123456789ab', '/withdrawals/42'],
    ['request: my-own_id', '/requests/my-own_id'],
    ['request:../audit', '/players'],
    ['#7a', '/players'],
    ['Wanderer', '/players'],
  ])('interprets %j as the page %s', (typed, path) => {
    expect(targetOf(typed)).toEqual(
      path === '/players' ? { path, query: { q: typed.trim() } } : { path },
    );
  });

  it.each(['server 7', 'Server  7', '区服 7', '区服7'])('finds the server in %j', (typed) => {
    expect(targetOf(typed)).toEqual({ path: '/servers', query: { q: '7' } });
  });

  it.each(['203.0.113.7', '2001:db8::7'])(
    'opens the player search for the address %s',
    (address) => {
      expect(thingTarget(address)).toEqual({ path: '/players', query: { q: address } });
    },
  );

  it.each(['Wanderer', 'note: 12', '550', '“typed”'])(
    'does not treat %j as an order, server, request or address',
    (text) => {
      expect(thingTarget(text)).toBeUndefined();
    },
  );

  it('opens no page for empty input', () => {
    expect(targetOf('  ')).toBeUndefined();
  });
});
