import { Injectable } from '@nestjs/common';
import { EventSearch } from '../../actions/events/event-search.js';
import { PlayerFinder } from '../../actions/players/player-finder.js';
import { playerAuditSubject } from '../../actions/audit-subjects.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import { CSV_PAGE_SIZE, CsvExport } from '../csv-export.js';
import type { AuditList } from '../responses/audit.js';
import { DEFAULT_PAGE_SIZE, toPage, parseTime } from '../pagination.dto.js';
import type { AuditPeriodDto, FindAuditDto } from './audit.dto.js';
import { toAuditView } from './audit.view.js';

const COLUMNS = ['id', 'at', 'by', 'act', 'subject', 'before', 'after', 'note'] as const;

/** Who did what. */
@Injectable()
export class AuditService {
  constructor(
    private readonly search: EventSearch,
    private readonly finder: PlayerFinder,
    private readonly csv: CsvExport,
  ) {}

  async find({
    limit = DEFAULT_PAGE_SIZE,
    since,
    until,
    before,
    subject,
    ...filter
  }: FindAuditDto): Promise<AuditList> {
    const rows = await this.search.audit({
      ...filter,
      subjects: subject === undefined ? undefined : await this.subjectsOf(subject),
      since: parseTime(since),
      until: parseTime(until),
      before: before?.toString(),
      limit: limit + 1,
    });
    const { page, next } = toPage(rows, limit);
    return { events: page.map(toAuditView), next };
  }

  /** All entries of a period, newest first. */
  export(me: DeskOperator, filter: AuditPeriodDto): Promise<AsyncIterable<string>> {
    return this.csv.begin(me, { subject: 'audit', filter }, COLUMNS, async (before) => {
      const { events, next } = await this.find(
        Object.assign({}, filter, { before, limit: CSV_PAGE_SIZE }),
      );
      return { rows: events, next };
    });
  }

  /** The subject as it is written, and players whose name, id or mailbox it is. */
  private async subjectsOf(text: string): Promise<string[]> {
    const players = await this.finder.find(text.trim());
    return [text, ...players.map(({ id }) => playerAuditSubject(id))];
  }
}
