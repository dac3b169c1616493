import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { Batcher } from '../../platform/database/batcher.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { ExpiredRowCleaner } from '../../platform/database/expired-row-cleaner.js';
import { sqlTime } from '../../platform/database/sql.js';
import type { ChatRecord } from './chat.dto.js';

const COLUMNS =
  'server_id, chat_id, account, role_id, role_name, channel, content, time, reported_by';
const ROWS_PER_STATEMENT = 1000;
const ROW_PLACEHOLDERS = '(?, ?, ?, ?, ?, ?, ?, ?, ?)';

export interface ChatReporter {
  address: string;
  isGameServer: boolean;
}

interface ChatRow {
  /** Only a record with a `chat_id` has a unique key. */
  key?: string;
  serverId: number;
  chatId: string | null;
  /** The values are in the order of the INSERT's columns. */
  values: unknown[];
}

/** Inserts records into `chat`, and deletes them after `chat.retention_days`. Concurrent reports share a statement. */
@Injectable()
export class ChatTable {
  private readonly batcher = new Batcher<ChatRow[], number>(
    (reports) => this.write(reports),
    ROWS_PER_STATEMENT,
    (rows) => rows.length,
  );

  constructor(
    private readonly dataSource: DataSource,
    settings: Settings,
    expiredRows: ExpiredRowCleaner,
  ) {
    const days = () => settings.current.chat.retention_days;
    expiredRows.deleteAfterDays(days, 'chat', 'created_at', { isOrderedById: true });
  }

  insert(records: ChatRecord[], reporter: ChatReporter): Promise<number> {
    return this.batcher.submit(toChatRows(records, reporter));
  }

  private async write(reports: ChatRow[][]): Promise<number[]> {
    const inserted = await this.insertNew(reports.flat());
    return reports.map((rows) => rows.filter((row) => inserted.has(row)).length);
  }

  /** Stores the rows whose `(server_id, chat_id)` is new, and returns them. */
  private async insertNew(reported: ChatRow[]): Promise<Set<ChatRow>> {
    let rows = uniqueSortedByKey(reported);
    while (rows.length > 0) {
      try {
        await this.insertAll(rows);
        break;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // The transaction that inserted the duplicate has committed by now, so each iteration drops at least one row.
        const taken = await this.takenKeys(rows);
        if (taken.size === 0) throw error;
        rows = rows.filter(({ key }) => key === undefined || !taken.has(key));
      }
    }
    return new Set(rows);
  }

  /** Inserts all rows or none. INSERT IGNORE is not used, because it hides other errors. */
  private async insertAll(rows: ChatRow[]): Promise<void> {
    const placeholders = `${ROW_PLACEHOLDERS}, `.repeat(rows.length - 1) + ROW_PLACEHOLDERS;
    const values: unknown[] = [];
    for (const row of rows) values.push(...row.values);
    await this.dataSource.query(`INSERT INTO chat (${COLUMNS}) VALUES ${placeholders}`, values);
  }

  private async takenKeys(rows: ChatRow[]): Promise<Set<string>> {
    const keyed = rows.filter(({ key }) => key !== undefined);
    const taken = new Set<string>();
    for (const serverId of new Set(keyed.map((row) => row.serverId))) {
      const ids = keyed.filter((row) => row.serverId === serverId).map(({ chatId }) => chatId);
      const found: Array<{ chat_id: string }> = await this.dataSource.query(
        `SELECT chat_id FROM chat WHERE server_id = ? AND chat_id IN (${ids.map(() => '?').join()})`,
        [serverId, ...ids],
      );
      const takenIds = new Set(found.map(({ chat_id }) => chat_id));
      for (const row of keyed)
        if (row.serverId === serverId && takenIds.has(row.chatId!)) taken.add(row.key!);
    }
    return taken;
  }
}

/** Returns the first row for each key, sorted by key, so that concurrent statements lock keys in the same order. */
function uniqueSortedByKey(rows: ChatRow[]): ChatRow[] {
  const first = new Map<string, ChatRow>();
  for (const row of rows) if (row.key !== undefined && !first.has(row.key)) first.set(row.key, row);
  const keyed = [...first.values()];
  keyed.sort((one, other) => (one.key! < other.key! ? -1 : 1));
  return [...keyed, ...rows.filter(({ key }) => key === undefined)];
}

function toChatRows(records: ChatRecord[], reporter: ChatReporter): ChatRow[] {
  const now = Math.floor(Date.now() / 1000);
  // Formatting a time costs more than validating a record, and most records in a report share the same second.
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
 * Prefixes the `chat_id` of an unknown client with its address and a space. The `chat_id` of a game server contains no
 * space, so an unknown client cannot occupy the unique key of a game server's record.
 */
function storedChatId(
  { chat_id }: ChatRecord,
  { address, isGameServer }: ChatReporter,
): string | null {
  if (chat_id === undefined || chat_id === null) return null;
  return isGameServer ? chat_id.toString() : `${address} ${chat_id}`;
}
