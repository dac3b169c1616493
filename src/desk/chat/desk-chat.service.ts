import { Injectable } from '@nestjs/common';
import type { ChatMessage } from '../../chat/chat-message.entity.js';
import { ChatSearch } from '../../chat/desk/chat-search.js';
import { NotFound } from '../../http/errors/http.errors.js';
import type { ChatLine, ChatList } from '../answers/chat.js';
import { LISTED, timeOf } from '../list.dto.js';
import type { FindChatDto } from './chat.dto.js';

const MOST_WORDS = 5;

/** What the desk shows of the games' chats. */
@Injectable()
export class DeskChatService {
  constructor(private readonly search: ChatSearch) {}

  async find({
    words = '',
    since,
    until,
    limit = LISTED,
    ...filter
  }: FindChatDto): Promise<ChatList> {
    const { lines, next, searchedTo } = await this.search.find({
      ...filter,
      since: timeOf(since),
      until: timeOf(until),
      words: words.split(/\s+/u).filter(Boolean).slice(0, MOST_WORDS),
      limit,
    });
    return { lines: lines.map(toLineView), next, searched_to: searchedTo };
  }

  async around(id: number): Promise<Pick<ChatList, 'lines'>> {
    const lines = await this.search.around(id);
    if (!lines) throw new NotFound();
    return { lines: lines.map(toLineView) };
  }
}

function toLineView(line: ChatMessage): ChatLine {
  return {
    id: Number(line.id),
    at: line.time,
    zone_id: line.serverId,
    account: line.account,
    role_id: line.roleId === null ? null : Number(line.roleId),
    role: line.roleName,
    channel: line.channel,
    text: line.content,
    reporter: line.reportedBy,
    reported_at: line.createdAt,
  };
}
