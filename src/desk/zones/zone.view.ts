import type { ZoneWork } from '../../zones/desk/open-work.js';
import { zoneState } from '../../zones/zone-edits.js';
import { zoneProblem } from '../../zones/zone-problem.js';
import type { Zone } from '../../zones/zone.entity.js';
import { toZoneView } from '../../zones/zone.view.js';
import type { SeenZone, ZoneLine } from '../answers/zones.js';

const NOTHING: ZoneWork = { open: 0, unknown: 0, failedLastHour: 0 };

/** As the players' list shows it; null where it is left out. */
export function toSeen(zone: Zone): SeenZone | null {
  return zone.status === 'closed' || zoneProblem(zone) !== undefined ? null : toZoneView(zone);
}

export function toRowView(
  zone: Zone,
  problem: string | undefined,
  { open, unknown, failedLastHour }: ZoneWork = NOTHING,
): ZoneLine {
  return {
    row: zoneState(zone),
    problem: problem ?? null,
    seen: toSeen(zone),
    work: { open, unknown, failed_last_hour: failedLastHour },
  };
}
