import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import { BYTE_ORDER_MARK, toCsv } from '../../csv.js';
import { EventSearch } from '../../actions/events/event-search.js';
import { PlayerFinder } from '../../actions/players/player-finder.js';
import { playerAuditSubject } from '../../actions/players/player-subject.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import type { AuditListItem, AuditList } from '../responses/audit.js';
import { DEFAULT_PAGE_SIZE, toPage, parseTime } from '../pagination.dto.js';
import type { ExportAuditDto, FindAuditDto } from './audit.dto.js';
import { toAuditView } from './audit.view.js';

const EXPORT_BATCH_SIZE = 500;
const COLUMNS = ['id', 'at', 'by', 'act', 'subject', 'before', 'after', 'note'] as const;

/** Who did what. */
@Injectable()
export class AuditService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly search: EventSearch,
    private readonly auditLog: AuditLog,
    private readonly finder: PlayerFinder,
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

  /** All entries of a period, newest first, a piece at a time. The export itself is recorded before. */
  async export({ name: by }: DeskOperator, dto: ExportAuditDto): Promise<AsyncIterable<string>> {
    const { format, since = null, until = null } = dto;
    const after = { format, since, until };
    await this.auditLog.write(
      this.dataSource.manager,
      { by, note: '' },
      { act: 'desk.export', subject: 'audit', before: null, after },
    );
    return format === 'csv' ? this.asCsv(dto) : this.asJson(dto);
  }

  /** The subject as it is written, and players whose name, id or mailbox it is. */
  private async subjectsOf(text: string): Promise<string[]> {
    const players = await this.finder.find(text.trim());
    return [text, ...players.map(({ id }) => playerAuditSubject(id))];
  }

  private async *asCsv(dto: ExportAuditDto) {
    yield BYTE_ORDER_MARK + toCsv([COLUMNS]);
    for await (const events of this.pages(dto))
      yield toCsv(events.map((event) => COLUMNS.map((column) => event[column])));
  }

  private async *asJson(dto: ExportAuditDto) {
    let separator = '[\n';
    for await (const events of this.pages(dto)) {
      yield separator + events.map((event) => JSON.stringify(event)).join(',\n');
      separator = ',\n';
    }
    yield separator === '[\n' ? '[]\n' : '\n]\n';
  }

  private async *pages({ since, until }: ExportAuditDto): AsyncGenerator<AuditListItem[]> {
    const span = { since: parseTime(since), until: parseTime(until), limit: EXPORT_BATCH_SIZE };
    for (let before: string | undefined; ;) {
      const rows = await this.search.audit({ ...span, before });
      if (rows.length > 0) yield rows.map(toAuditView);
      if (rows.length < EXPORT_BATCH_SIZE) return;
      before = rows.at(-1)!.id;
    }
  }
}
