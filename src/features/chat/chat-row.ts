import { sqlTime } from '../../platform/database/sql-time.js';
import type { ChatRecord } from './chat-record.js';

export interface ChatReporter {
  address: string;
  isGameServer: boolean;
}

export interface ChatRow {
  /** Unique key of the row; undefined without a `chat_id`. */
  key?: string;
  serverId: number;
  chatId: string | null;
  /** In the order of the INSERT's columns. */
  values: unknown[];
}

export function toChatRows(records: ChatRecord[], reporter: ChatReporter): ChatRow[] {
  const now = Math.floor(Date.now() / 1000);
  // Formatting a time costs more than validating a record, and most records of a report share a second.
  const times = new Map<number, string>();
  return records.map((record) => {
    const seconds = record.time ?? now;
    let time = times.get(seconds);
    if (!time) times.set(seconds, (time = sqlTime(new Date(seconds * 1000)).slice(0, 19)));
    return toRow(record, reporter, time);
  });
}

function toRow(record: ChatRecord, reporter: ChatReporter, time: string): ChatRow {
  const serverId = record.server_id;
  const chatId = storedChatId(record, reporter);
  return {
    key: chatId === null ? undefined : `${serverId} ${chatId}`,
    serverId,
    chatId,
    values: [
      serverId,
      chatId,
      record.account ?? null,
      record.role_id ?? null,
      record.role_name ?? null,
      record.channel ?? null,
      record.content,
      time,
      reporter.address,
    ],
  };
}

/**
 * A game's `chat_id` has no space, so a stranger's, with his address and a space before it, never takes the unique
 * key of a game server's record.
 */
function storedChatId(
  { chat_id }: ChatRecord,
  { address, isGameServer }: ChatReporter,
): string | null {
  if (chat_id === undefined || chat_id === null) return null;
  return isGameServer ? chat_id.toString() : `${address} ${chat_id}`;
}
