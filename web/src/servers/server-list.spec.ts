import { describe, expect, it } from 'vitest';
import type { Server } from '../api/contract';
import { areFew, groupServers, myServers, recommendedServer, searchServers } from './server-list';

const server = (id: number, more: Partial<Server> = {}): Server => ({
  id,
  name: `Realm ${id}`,
  address: 'a.example',
  port: 7000,
  status: 'normal',
  open_at: null,
  group: null,
  recommended: false,
  ...more,
});
const many = (count: number) => Array.from({ length: count }, (_, place) => server(place + 1));
const ids = (servers: Server[]) => servers.map(({ id }) => id);
const always = () => true;

describe('Server groups', () => {
  it('cover twenty numbers each, including missing ones', () => {
    const groups = groupServers(many(200).filter(({ id }) => id !== 7));
    expect(groups).toHaveLength(10);
    expect(groups[0]).toMatchObject({ name: null, from: 1, to: 20 });
    expect(groups[0]!.servers).toHaveLength(19);
    expect(groups[9]).toMatchObject({ from: 181, to: 200 });
  });

  it('follow the order of their first server if they are named', () => {
    const groups = groupServers([
      server(1, { group: 'East' }),
      server(25),
      server(2, { group: 'East' }),
    ]);
    expect(groups.map(({ name, from }) => name ?? from)).toEqual(['East', 21]);
    expect(ids(groups[0]!.servers)).toEqual([1, 2]);
  });

  it('are omitted for a short list', () => {
    expect(areFew(many(20))).toBe(true);
    expect(areFew(many(21))).toBe(false);
    expect(areFew([server(1, { group: 'East' })])).toBe(false);
  });
});

describe('The server search', () => {
  const servers = [
    ...many(200),
    server(301, { name: '龙谷 12' }),
    server(302, { name: 'Dragon’s Keep' }),
  ];

  it('ranks an exact number before names and longer numbers that contain it', () => {
    expect(ids(searchServers(servers, '12'))).toEqual([
      12, 112, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 301,
    ]);
    expect(ids(searchServers([server(120, { name: 'x' }), server(12)], '12'))).toEqual([12, 120]);
  });

  it('finds part of a name regardless of case, width and surrounding spaces', () => {
    expect(ids(searchServers(servers, ' 龙 '))).toEqual([301]);
    expect(ids(searchServers(servers, 'KEEP'))).toEqual([302]);
    expect(ids(searchServers(servers, '１８８'))).toEqual([188]);
  });

  it('finds nothing for an empty query', () => {
    expect(searchServers(servers, '  ')).toEqual([]);
    expect(searchServers(servers, 'no such')).toEqual([]);
  });
});

describe('The recommended server', () => {
  it('is the first open server that is marked as recommended', () => {
    const servers = [server(1), server(2, { recommended: true }), server(3, { recommended: true })];
    expect(recommendedServer(servers, always)?.id).toBe(2);
    expect(recommendedServer(servers, ({ id }) => id !== 2)?.id).toBe(3);
  });

  it('is a new server rather than an older one with an opening time if none is marked as recommended', () => {
    const old = server(4, { open_at: '2026-01-01T00:00:00Z' });
    expect(recommendedServer([server(2, { status: 'new' }), old], always)?.id).toBe(2);
  });

  it('is the last one opened, or else the one with the highest number, if none is marked or new', () => {
    const opened = server(4, { open_at: '2026-01-01T00:00:00Z' });
    expect(recommendedServer([opened, server(9)], always)?.id).toBe(4);
    expect(recommendedServer([server(3), server(9), server(5)], always)?.id).toBe(9);
    expect(recommendedServer(many(3), () => false)).toBeUndefined();
  });
});

describe('My servers', () => {
  const entered = (...numbers: number[]) =>
    numbers.map((id) => ({ id, entered_at: '2026-01-01T00:00:00Z' }));

  it('are the last eight servers entered that are still listed', () => {
    const mine = myServers(many(12), entered(3, 99, 1, 2, 4, 5, 6, 7, 8, 9), 5);
    expect(ids(mine.map((own) => own.server))).toEqual([3, 1, 2, 4, 5, 6, 7, 8]);
  });

  it('include the chosen server before the first entry', () => {
    expect(myServers(many(3), [], 2)).toEqual([{ server: server(2), enteredAt: null }]);
    expect(myServers(many(3), [], 9)).toEqual([]);
    expect(myServers(many(3), [], null)).toEqual([]);
  });
});
