import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Batcher } from '../../platform/database/batcher.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import type { ChatRecord } from './chat-record.js';
import { type ChatReporter, type ChatRow, toChatRows } from './chat-row.js';

const COLUMNS =
  'server_id, chat_id, account, role_id, role_name, channel, content, time, reported_by';
const ROWS_PER_STATEMENT = 1000;
const ROW_PLACEHOLDERS = '(?, ?, ?, ?, ?, ?, ?, ?, ?)';

/** Inserts into `chat`; concurrent reports share a statement. */
@Injectable()
export class ChatTable {
  private readonly batcher = new Batcher<ChatRow[], number>(
    (reports) => this.write(reports),
    ROWS_PER_STATEMENT,
    (rows) => rows.length,
  );

  constructor(private readonly dataSource: DataSource) {}

  /** Stores the records that are new. Returns how many. */
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
        // The other writer of the key has committed by now, so every round drops at least one row.
        const taken = await this.takenKeys(rows);
        if (taken.size === 0) throw error;
        rows = rows.filter(({ key }) => key === undefined || !taken.has(key));
      }
    }
    return new Set(rows);
  }

  /** All or none. Not INSERT IGNORE, which would also hide every other error. */
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

/** The first row of each key, sorted by key: concurrent statements then take their locks in the same order. */
function uniqueSortedByKey(rows: ChatRow[]): ChatRow[] {
  const first = new Map<string, ChatRow>();
  for (const row of rows) if (row.key !== undefined && !first.has(row.key)) first.set(row.key, row);
  const keyed = [...first.values()];
  keyed.sort((one, other) => (one.key! < other.key! ? -1 : 1));
  return [...keyed, ...rows.filter(({ key }) => key === undefined)];
}
