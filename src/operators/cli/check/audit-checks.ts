import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import { type CheckResult, info, passed } from './check-result.js';

const MAX_EVENTS = 10_000;
const MAX_NAMED = 20;

/** Whether rows of `audit_event` are missing. */
@Injectable()
export class AuditChecks {
  constructor(private readonly dataSource: DataSource) {}

  async run(): Promise<CheckResult[]> {
    if (await this.hasWideIds())
      return [info('audit', 'several database servers give out ids, so gaps in them say nothing')];
    const rows = await this.dataSource.manager.find(AuditEvent, {
      select: { id: true },
      order: { id: 'DESC' },
      take: MAX_EVENTS,
    });
    const ids = rows.map(({ id }) => Number(id));
    const missing = missingIds(ids.length < MAX_EVENTS ? [...ids, 0] : ids);
    if (missing.length === 0) return [passed('audit', 'the ids of audit_event have no gaps')];
    const named = missing.slice(0, MAX_NAMED).join(', ');
    return [
      info(
        'audit',
        `${missing.length} ids are missing in audit_event: ${named}. Look for "audit_event <id>" in the log: ` +
          'a line means that the row was deleted or its transaction rolled back',
      ),
    ];
  }

  /** Galera and group replication leave gaps between ids. */
  private async hasWideIds(): Promise<boolean> {
    if (this.dataSource.options.type === 'better-sqlite3') return false;
    const [row] = await this.dataSource.query<Array<{ step: number | string }>>(
      'SELECT @@auto_increment_increment AS step',
    );
    return Number(row?.step) > 1;
  }
}

/** Between the first and the last of these, in descending order. */
function missingIds(ids: number[]): number[] {
  const missing: number[] = [];
  ids.slice(1).forEach((id, index) => {
    for (let gone = id + 1; gone < ids[index]! && missing.length < MAX_EVENTS; gone++)
      missing.push(gone);
  });
  return missing;
}
