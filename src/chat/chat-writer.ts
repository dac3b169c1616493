import { Injectable } from '@nestjs/common';
import { Batcher } from '../database/batcher.js';
import type { ChatRecord } from './chat-record.js';
import { type ChatRow, type Reporter, toRows } from './chat-row.js';
import { ChatTable } from './chat-table.js';

const ROWS_A_STATEMENT = 1000;

/** Stores concurrent reports in one statement. */
@Injectable()
export class ChatWriter {
  private readonly batcher = new Batcher<ChatRow[], number>(
    (reports) => this.write(reports),
    ROWS_A_STATEMENT,
    (rows) => rows.length,
  );

  constructor(private readonly table: ChatTable) {}

  /** Stores the records that are new. Returns how many. */
  insert(records: ChatRecord[], reporter: Reporter): Promise<number> {
    return this.batcher.submit(toRows(records, reporter));
  }

  private async write(reports: ChatRow[][]): Promise<number[]> {
    const news = await this.table.insertNew(reports.flat());
    return reports.map((rows) => rows.filter((row) => news.has(row)).length);
  }
}
