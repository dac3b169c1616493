import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isDuplicate } from '../database/database-errors.js';
import { sqlTime } from '../database/sql-time.js';
import { retryDeadlocks } from '../database/transaction.js';
import type { ChatRecord } from './chat-record.js';

const COLUMNS = 'server_id, chat_id, account, role_id, role_name, channel, content, time';
const PLACES = '(?, ?, ?, ?, ?, ?, ?, ?)';

interface Row {
  /** What no two rows share; undefined where the game gave no `chat_id`. */
  key?: string;
  serverId: number;
  chatId: string | null;
  values: unknown[];
}

/** Writes `chat`, many rows a statement. It has no entity: the service reads no row of it, moderators do, by SQL. */
@Injectable()
export class ChatTable {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores the records whose `(server_id, chat_id)` is new, and says how many those were. */
  async insert(records: ChatRecord[]): Promise<number> {
    let rows = inOrderOnce(toRows(records));
    while (rows.length > 0) {
      try {
        await retryDeadlocks(() => this.insertAll(rows));
        return rows.length;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        // Whoever was first with a key has committed by now, so that every round leaves out one at least.
        const taken = await this.takenKeys(rows);
        if (taken.size === 0) throw error;
        rows = rows.filter(({ key }) => key === undefined || !taken.has(key));
      }
    }
    return 0;
  }

  /** All or none. Not INSERT IGNORE, which would pass over every other mistake as well. */
  private async insertAll(rows: Row[]): Promise<void> {
    const places = `${PLACES}, `.repeat(rows.length - 1) + PLACES;
    const values: unknown[] = [];
    for (const row of rows) values.push(...row.values);
    await this.dataSource.query(`INSERT INTO chat (${COLUMNS}) VALUES ${places}`, values);
  }

  private async takenKeys(rows: Row[]): Promise<Set<string>> {
    const taken = new Set<string>();
    for (const serverId of new Set(rows.map((row) => row.serverId))) {
      const ids = rows
        .filter((row) => row.serverId === serverId && row.chatId !== null)
        .map(({ chatId }) => chatId);
      if (ids.length === 0) continue;
      const found: Array<{ chat_id: string }> = await this.dataSource.query(
        `SELECT chat_id FROM chat WHERE server_id = ? AND chat_id IN (${ids.map(() => '?').join()})`,
        [serverId, ...ids],
      );
      for (const { chat_id } of found) taken.add(keyOf(serverId, chat_id));
    }
    return taken;
  }
}

function toRows(records: ChatRecord[]): Row[] {
  const now = Math.floor(Date.now() / 1000);
  // Most of a report is of the same few seconds, and writing out a time takes longer than checking a whole record.
  const times = new Map<number, string>();
  return records.map((record) => {
    const seconds = record.time ?? now;
    let time = times.get(seconds);
    if (!time) times.set(seconds, (time = sqlTime(new Date(seconds * 1000)).slice(0, 19)));
    return toRow(record, time);
  });
}

function toRow(record: ChatRecord, time: string): Row {
  const serverId = record.server_id;
  const chatId = record.chat_id?.toString() ?? null;
  return {
    key: chatId === null ? undefined : keyOf(serverId, chatId),
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

function keyOf(serverId: number, chatId: string): string {
  return `${serverId} ${chatId}`;
}

/** The first of each key, in the order of the keys: two reports at once take their locks in the same order. */
function inOrderOnce(rows: Row[]): Row[] {
  const first = new Map(rows.toReversed().map((row) => [row.key, row]));
  const keyed = [...first.values()].filter(({ key }) => key !== undefined);
  keyed.sort((one, other) => (one.key! < other.key! ? -1 : 1));
  return [...keyed, ...rows.filter(({ key }) => key === undefined)];
}
