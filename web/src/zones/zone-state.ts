import type { Zone } from '../api/contract';

type StatusAndOpening = Pick<Zone, 'status' | 'open_at'>;

export type ZoneState = Zone['status'] | 'upcoming';

/** A zone's status as shown to players: `upcoming` until it opens. */
export function zoneState({ status, open_at }: StatusAndOpening, now: number): ZoneState {
  const isAhead = open_at !== null && Date.parse(open_at) > now;
  return isAhead && status !== 'maintenance' ? 'upcoming' : status;
}

export function canEnter(zone: StatusAndOpening, now: number): boolean {
  return !['maintenance', 'upcoming', 'closed'].includes(zoneState(zone, now));
}

export function canRegister({ status }: StatusAndOpening): boolean {
  return !['maintenance', 'full', 'closed'].includes(status);
}

export function canWithdraw({ status }: StatusAndOpening): boolean {
  return !['maintenance', 'closed'].includes(status);
}
