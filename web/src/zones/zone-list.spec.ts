import { describe, expect, it } from 'vitest';
import type { Zone } from '../api/contract';
import { areFew, groupZones, myZones, recommendedZone, searchZones } from './zone-list';

const zone = (id: number, more: Partial<Zone> = {}): Zone => ({
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
const many = (count: number) => Array.from({ length: count }, (_, place) => zone(place + 1));
const ids = (zones: Zone[]) => zones.map(({ id }) => id);
const always = () => true;

describe('groups of zones', () => {
  it('are twenties by number, however many are missing', () => {
    const groups = groupZones(many(200).filter(({ id }) => id !== 7));
    expect(groups).toHaveLength(10);
    expect(groups[0]).toMatchObject({ name: null, from: 1, to: 20 });
    expect(groups[0]!.zones).toHaveLength(19);
    expect(groups[9]).toMatchObject({ from: 181, to: 200 });
  });

  it('are those that the rows name, in the order of their first zone', () => {
    const groups = groupZones([zone(1, { group: 'East' }), zone(25), zone(2, { group: 'East' })]);
    expect(groups.map(({ name, from }) => name ?? from)).toEqual(['East', 21]);
    expect(ids(groups[0]!.zones)).toEqual([1, 2]);
  });

  it('are not needed for a few', () => {
    expect(areFew(many(20))).toBe(true);
    expect(areFew(many(21))).toBe(false);
    expect(areFew([zone(1, { group: 'East' })])).toBe(false);
  });
});

describe('a search', () => {
  const zones = [
    ...many(200),
    zone(301, { name: '龙谷 12' }),
    zone(302, { name: 'Dragon’s Keep' }),
  ];

  it('finds by number: the very one, then names that have it, then numbers that begin so', () => {
    expect(ids(searchZones(zones, '12'))).toEqual([
      12, 112, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 301,
    ]);
    expect(ids(searchZones([zone(120, { name: 'x' }), zone(12)], '12'))).toEqual([12, 120]);
  });

  it('finds by part of the name, without regard to case, width and blanks around it', () => {
    expect(ids(searchZones(zones, ' 龙 '))).toEqual([301]);
    expect(ids(searchZones(zones, 'KEEP'))).toEqual([302]);
    expect(ids(searchZones(zones, '１８８'))).toEqual([188]);
  });

  it('finds nothing for nothing', () => {
    expect(searchZones(zones, '  ')).toEqual([]);
    expect(searchZones(zones, 'no such')).toEqual([]);
  });
});

describe('the recommended zone', () => {
  it('is the first recommended one that can be used', () => {
    const zones = [zone(1), zone(2, { recommended: true }), zone(3, { recommended: true })];
    expect(recommendedZone(zones, always)?.id).toBe(2);
    expect(recommendedZone(zones, ({ id }) => id !== 2)?.id).toBe(3);
  });

  it('is else the one that opened last, then the one with the highest number', () => {
    const opened = zone(4, { open_at: '2026-01-01T00:00:00Z' });
    expect(recommendedZone([opened, zone(9)], always)?.id).toBe(4);
    expect(recommendedZone([zone(3), zone(9), zone(5)], always)?.id).toBe(9);
    expect(recommendedZone(many(3), () => false)).toBeUndefined();
  });
});

describe('my zones', () => {
  const entered = (...numbers: number[]) =>
    numbers.map((id) => ({ id, entered_at: '2026-01-01T00:00:00Z' }));

  it('are the last eight entered that are listed, in their order', () => {
    const mine = myZones(many(12), entered(3, 99, 1, 2, 4, 5, 6, 7, 8, 9), 5);
    expect(ids(mine.map((own) => own.zone))).toEqual([3, 1, 2, 4, 5, 6, 7, 8]);
  });

  it('are the chosen one for a player who never entered any', () => {
    expect(myZones(many(3), [], 2)).toEqual([{ zone: zone(2), enteredAt: null }]);
    expect(myZones(many(3), [], 9)).toEqual([]);
    expect(myZones(many(3), [], null)).toEqual([]);
  });
});
