import { Injectable } from '@nestjs/common';
import type { ChatMessage } from '../../../features/chat/chat-message.entity.js';
import { ChatSearch } from '../../actions/chat/chat-search.js';
import { NotFound } from '../../../platform/http/errors/http.errors.js';
import type { DeskOperator } from '../../actions/operators/role.js';
import { CSV_PAGE_SIZE, CsvExport } from '../csv-export.js';
import type { ChatListItem, ChatList } from '../responses/chat.js';
import { DEFAULT_PAGE_SIZE, parseTime } from '../pagination.dto.js';
import type { ChatFilterDto, FindChatDto } from './chat.dto.js';

const MAX_WORDS = 5;
const COLUMNS = [
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

/** The games' chat, for the desk. */
@Injectable()
export class DeskChatService {
  constructor(
    private readonly search: ChatSearch,
    private readonly csv: CsvExport,
  ) {}

  async find({
    words = '',
    since,
    until,
    limit = DEFAULT_PAGE_SIZE,
    ...filter
  }: FindChatDto): Promise<ChatList> {
    const { lines, next, searchedTo } = await this.search.find({
      ...filter,
      since: parseTime(since),
      until: parseTime(until),
      words: words.split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS),
      limit,
    });
    return { lines: lines.map(toMessageView), next, searched_to: searchedTo };
  }

  /** Every matching message. */
  export(me: DeskOperator, filter: ChatFilterDto): Promise<AsyncIterable<string>> {
    return this.csv.begin(me, { subject: 'chat', filter }, COLUMNS, async (before) => {
      const { lines, next } = await this.find(
        Object.assign({}, filter, { before, limit: CSV_PAGE_SIZE }),
      );
      return { rows: lines, next };
    });
  }

  async around(id: number): Promise<Pick<ChatList, 'lines'>> {
    const lines = await this.search.findContext(id);
    if (!lines) throw new NotFound();
    return { lines: lines.map(toMessageView) };
  }
}

function toMessageView(message: ChatMessage): ChatListItem {
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
