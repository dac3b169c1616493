import { isHost, isPort, zoneProblem } from '../zone-problem.js';
import type { Zone } from '../zone.entity.js';

const LONGEST_MERGE = 8;

/** What is wrong with a row as it would be, in words; undefined where nothing is. `others` are all zones but this one. */
export function changeProblem(zone: Zone, others: Zone[]): string | undefined {
  return zoneProblem(zone) ?? waysProblem(zone) ?? mergeProblem(zone, others);
}

/** The two ways into the zone that players do not see. */
function waysProblem({ gmAddress, gmPort, gmPath, dbHost, dbPort }: Zone): string | undefined {
  for (const [column, host] of [
    ['gm_address', gmAddress],
    ['db_host', dbHost],
  ] as const)
    if (host !== null && !isHost(host)) return `its ${column} is not a host name or address`;
  if (!isPort(gmPort)) return `its gm_port ${gmPort} is not between 1 and 65535`;
  if (dbPort !== null && !isPort(dbPort)) return `its db_port ${dbPort} is not between 1 and 65535`;
  if (!gmPath.startsWith('/')) return 'its gm_path does not start with /';
  return undefined;
}

/** Follows the merges: withdrawals do that too, at most eight steps. */
export function mergeProblem(zone: Zone, others: Zone[]): string | undefined {
  if (zone.mergedInto === null) return undefined;
  const byId = new Map(others.map((other) => [other.id, other]));
  let mergedInto: number | null = zone.mergedInto;
  for (let step = 1; mergedInto !== null; step++) {
    if (mergedInto === zone.id)
      return step === 1
        ? 'it cannot be merged into itself'
        : `zone ${zone.mergedInto} is merged into it, at the end: that is a circle`;
    const next = byId.get(mergedInto);
    if (!next) return `there is no zone ${mergedInto} to be merged into`;
    if (step > LONGEST_MERGE) return `more than ${LONGEST_MERGE} merges follow each other`;
    mergedInto = next.mergedInto;
  }
  return undefined;
}
