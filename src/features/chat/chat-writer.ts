import { Injectable } from '@nestjs/common';
import { Batcher } from '../../platform/database/batcher.js';
import type { ChatRecord } from './chat-record.js';
import { type ChatRow, type ChatReporter, toChatRows } from './chat-row.js';
import { ChatTable } from './chat-table.js';

const ROWS_PER_STATEMENT = 1000;

/** Stores concurrent reports in one statement. */
@Injectable()
export class ChatWriter {
  private readonly batcher = new Batcher<ChatRow[], number>(
    (reports) => this.write(reports),
    ROWS_PER_STATEMENT,
    (rows) => rows.length,
  );

  constructor(private readonly table: ChatTable) {}

  /** Stores the records that are new. Returns how many. */
  insert(records: ChatRecord[], reporter: ChatReporter): Promise<number> {
    return this.batcher.submit(toChatRows(records, reporter));
  }

  private async write(reports: ChatRow[][]): Promise<number[]> {
    const inserted = await this.table.insertNew(reports.flat());
    return reports.map((rows) => rows.filter((row) => inserted.has(row)).length);
  }
}
