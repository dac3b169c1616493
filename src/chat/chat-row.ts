import { sqlTime } from '../database/sql-time.js';
import type { ChatRecord } from './chat-record.js';

export interface ChatRow {
  /** Unique key of the row; undefined without a `chat_id`. */
  key?: string;
  serverId: number;
  chatId: string | null;
  /** In the order of the INSERT's columns. */
  values: unknown[];
}

export function toRows(records: ChatRecord[]): ChatRow[] {
  const now = Math.floor(Date.now() / 1000);
  // Formatting a time costs more than validating a record, and most records of a report share a second.
  const times = new Map<number, string>();
  return records.map((record) => {
    const seconds = record.time ?? now;
    let time = times.get(seconds);
    if (!time) times.set(seconds, (time = sqlTime(new Date(seconds * 1000)).slice(0, 19)));
    return toRow(record, time);
  });
}

function toRow(record: ChatRecord, time: string): ChatRow {
  const serverId = record.server_id;
  const chatId = record.chat_id?.toString() ?? null;
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
    ],
  };
}
