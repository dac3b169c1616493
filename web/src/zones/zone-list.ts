import type { Zone } from '../api/contract';

const RANGE = 20;
const MOST_OF_MINE = 8;
/** Up to this many zones need neither tabs nor a search. */
const FEW = 20;

export interface ZoneGroup {
  key: string;
  /** Null for zones of no group that are shown by their numbers. */
  name: string | null;
  from: number;
  to: number;
  zones: Zone[];
}

export interface MyZone {
  zone: Zone;
  /** Null: chosen, but never entered. */
  enteredAt: string | null;
}

/** Named groups in the order of their first zone; zones without one by number, in twenties. */
export function groupZones(zones: Zone[]): ZoneGroup[] {
  const groups = new Map<string, ZoneGroup>();
  for (const zone of zones) {
    const start = Math.floor((zone.id - 1) / RANGE) * RANGE + 1;
    const key = zone.group === null ? `range ${start}` : `group ${zone.group}`;
    const group = groups.get(key) ?? {
      key,
      name: zone.group,
      from: start,
      to: start + RANGE - 1,
      zones: [],
    };
    group.zones.push(zone);
    groups.set(key, group);
  }
  return [...groups.values()];
}

export function areFew(zones: Zone[]): boolean {
  return zones.length <= FEW && zones.every(({ group }) => group === null);
}

/** By number or by part of the name: the very number first, then names that begin so, then the others. */
export function searchZones(zones: Zone[], text: string): Zone[] {
  const wanted = plain(text);
  if (wanted === '') return [];
  const rank = ({ id, name }: Zone) => {
    if (String(id) === wanted) return 0;
    if (plain(name).startsWith(wanted)) return 1;
    if (plain(name).includes(wanted)) return 2;
    return String(id).startsWith(wanted) ? 3 : 4;
  };
  return zones
    .map((zone) => ({ zone, rank: rank(zone) }))
    .filter((found) => found.rank < 4)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ zone }) => zone);
}

/** The first recommended zone that can be used, else the one that opened last. */
export function recommendedZone(
  zones: Zone[],
  isUsable: (zone: Zone) => boolean,
): Zone | undefined {
  const usable = zones.filter((zone) => isUsable(zone));
  const openedAt = ({ open_at }: Zone) => (open_at === null ? 0 : Date.parse(open_at));
  return (
    usable.find(({ recommended }) => recommended) ??
    usable.toSorted((one, other) => openedAt(other) - openedAt(one) || other.id - one.id)[0]
  );
}

/** The last ones entered that are still listed; for a player who never entered one, the chosen one. */
export function myZones(
  zones: Zone[],
  entered: { id: number; entered_at: string }[],
  chosenId: number | null,
): MyZone[] {
  const byId = new Map(zones.map((zone) => [zone.id, zone]));
  const mine = entered.flatMap(({ id, entered_at }) => {
    const zone = byId.get(id);
    return zone ? [{ zone, enteredAt: entered_at }] : [];
  });
  const chosen = chosenId === null ? undefined : byId.get(chosenId);
  if (mine.length === 0 && chosen) return [{ zone: chosen, enteredAt: null }];
  return mine.slice(0, MOST_OF_MINE);
}

/** Full-width digits and letters, as Chinese keyboards type them, count as the plain ones. */
function plain(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
