import { Injectable } from '@nestjs/common';
import type { AuditEvent } from '../../../platform/audit/audit.entity.js';
import { TextField } from '../../../platform/http/validation/field.decorator.js';
import { EventSearch, playerAuditSubject } from '../../actions/events/event-search.js';
import type { DeskOperator } from '../../actions/operators/operator.entity.js';
import { PlayerSearch } from '../../actions/players/player-search.js';
import { CSV_PAGE_SIZE, CsvExport } from '../http/csv-export.js';
import {
  CursorField,
  DEFAULT_PAGE_SIZE,
  LimitField,
  parseTime,
  TimeField,
  toPage,
} from '../http/pagination.dto.js';

export class AuditFilterDto {
  @TimeField()
  since?: string;

  @TimeField()
  until?: string;

  @TextField({ max: 64, optional: true })
  subject?: string;

  @TextField({ max: 64, optional: true })
  by?: string;

  @TextField({ max: 32, optional: true })
  act?: string;
}

export class FindAuditDto extends AuditFilterDto {
  @CursorField()
  before?: number;

  @LimitField()
  limit?: number;
}

const CSV_COLUMNS = ['id', 'at', 'by', 'act', 'subject', 'before', 'after', 'note'] as const;

@Injectable()
export class AuditService {
  constructor(
    private readonly search: EventSearch,
    private readonly players: PlayerSearch,
    private readonly csv: CsvExport,
  ) {}

  async find({
    limit = DEFAULT_PAGE_SIZE,
    since,
    until,
    before,
    subject,
    ...filter
  }: FindAuditDto) {
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

  export(me: DeskOperator, filter: AuditFilterDto): Promise<AsyncIterable<string>> {
    return this.csv.begin(me, { subject: 'audit', filter }, CSV_COLUMNS, async (before) => {
      const { events, next } = await this.find(
        Object.assign({}, filter, { before, limit: CSV_PAGE_SIZE }),
      );
      return { rows: events, next };
    });
  }

  /** Returns the text itself and the subjects of players whose name, id or e-mail address is this text. */
  private async subjectsOf(text: string): Promise<string[]> {
    const players = await this.players.findExact(text.trim());
    return [text, ...players.map(({ id }) => playerAuditSubject(id))];
  }
}

function toAuditView(event: AuditEvent) {
  return {
    id: Number(event.id),
    at: event.createdAt.toISOString(),
    by: event.operator,
    act: event.act,
    subject: event.subject,
    before: event.before,
    after: event.after,
    note: event.note,
  };
}
