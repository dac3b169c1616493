import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../platform/http/errors/http.errors.js';
import { IntegerQueryField, TextField } from '../../../platform/http/validation/field.decorator.js';
import type { ChatMessage } from '../../../features/chat/chat-message.entity.js';
import { ChatSearch } from '../../actions/chat/chat-search.js';
import type { DeskOperator } from '../../actions/operators/operator.entity.js';
import { CSV_PAGE_SIZE, CsvExport } from '../http/csv-export.js';
import {
  CursorField,
  DEFAULT_PAGE_SIZE,
  LimitField,
  parseTime,
  TimeField,
} from '../http/pagination.dto.js';

export class ChatFilterDto {
  @IntegerQueryField({ optional: true })
  server?: number;

  @TextField({ max: 64, optional: true })
  account?: string;

  @TimeField()
  since?: string;

  @TimeField()
  until?: string;

  /** Words are separated by spaces, and a chat line must contain all of them. */
  @TextField({ max: 100, optional: true })
  words?: string;
}

export class FindChatDto extends ChatFilterDto {
  @CursorField()
  before?: number;

  @LimitField()
  limit?: number;
}

const MAX_WORDS = 5;
const CSV_COLUMNS = [
  'id',
  'at',
  'server_id',
  'account',
  'role_id',
  'role',
  'channel',
  'text',
  'reporter',
  'reported_at',
] as const;

@Injectable()
export class DeskChatService {
  constructor(
    private readonly search: ChatSearch,
    private readonly csv: CsvExport,
  ) {}

  async find({ words = '', since, until, limit = DEFAULT_PAGE_SIZE, ...filter }: FindChatDto) {
    const { lines, next, searchedTo } = await this.search.find({
      ...filter,
      since: parseTime(since),
      until: parseTime(until),
      words: words.split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS),
      limit,
    });
    return { lines: lines.map(toMessageView), next, searched_to: searchedTo };
  }

  export(me: DeskOperator, filter: ChatFilterDto): Promise<AsyncIterable<string>> {
    return this.csv.begin(me, { subject: 'chat', filter }, CSV_COLUMNS, async (before) => {
      const { lines, next } = await this.find(
        Object.assign({}, filter, { before, limit: CSV_PAGE_SIZE }),
      );
      return { rows: lines, next };
    });
  }

  async around(id: number) {
    const lines = await this.search.findContext(id);
    if (!lines) throw new NotFound();
    return { lines: lines.map(toMessageView) };
  }
}

function toMessageView(message: ChatMessage) {
  return {
    id: Number(message.id),
    at: message.time,
    server_id: message.serverId,
    account: message.account,
    role_id: message.roleId === null ? null : Number(message.roleId),
    role: message.roleName,
    channel: message.channel,
    text: message.content,
    reporter: message.reportedBy,
    reported_at: message.createdAt,
  };
}
