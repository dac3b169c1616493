import { terminalTable } from '../../command/terminal-table.js';
import type { AuditEvent } from '../../journal/audit-event.entity.js';
import { changesOf } from '../../journal/command/event-report.js';
import { changeProblem } from '../desk/zone-change.js';
import type { ZoneWork } from '../desk/open-work.js';
import { zoneState } from '../zone-edits.js';
import type { Zone } from '../zone.entity.js';

const NOTHING: ZoneWork = { open: 0, unknown: 0, failedLastHour: 0 };

export function zonesReport(zones: Zone[], work: Map<number, ZoneWork>): string {
  if (zones.length === 0) return 'There are none.';
  return terminalTable(
    [
      'id',
      'name',
      'status',
      'address',
      'opens (UTC)',
      'into',
      'open',
      'unknown',
      'failed 1h',
      'problem',
    ],
    zones.map((zone) => {
      const { open, unknown, failedLastHour } = work.get(zone.id) ?? NOTHING;
      const others = zones.filter((other) => other !== zone);
      return [
        zone.id,
        zone.name,
        zone.status,
        `${zone.address}:${zone.port}`,
        zone.openAt,
        zone.mergedInto,
        open,
        unknown,
        failedLastHour,
        changeProblem(zone, others) ?? null,
      ];
    }),
  );
}

export function zoneReport(
  zone: Zone,
  problem: string | undefined,
  open: number[],
  acts: AuditEvent[],
): string {
  const facts = terminalTable(
    ['zone', String(zone.id)],
    Object.entries(zoneState(zone))
      .filter(([column]) => column !== 'id')
      .map(([column, value]) => [column, value === null ? null : `${value as string | number}`]),
  );
  const work =
    open.length === 0
      ? 'No withdrawal is open.'
      : `Open withdrawals: ${open.slice(0, 50).join(', ')}`;
  const story =
    acts.length === 0
      ? 'Nothing was changed since it is written down.'
      : terminalTable(
          ['time (UTC)', 'who', 'act', 'what', 'note'],
          acts.map((act) => [act.createdAt, act.operator, act.act, changesOf(act), act.note]),
        );
  return [
    facts,
    ...(problem ? [`Left out, or not to be merged: ${problem}`] : []),
    work,
    story,
  ].join('\n\n');
}
