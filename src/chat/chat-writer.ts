import { Injectable } from '@nestjs/common';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import type { ChatRecord } from './chat-record.js';
import { type ChatRow, toRows } from './chat-row.js';
import { ChatTable } from './chat-table.js';

const STATEMENTS_AT_ONCE = 2;
const ROWS_A_STATEMENT = 1000;

interface Report {
  rows: ChatRow[];
  stored: (count: number) => void;
  failed: (error: unknown) => void;
}

/**
 * Reports that come in while statements are under way wait, and then go together into the next: the more there
 * is to store, the less each record costs.
 */
@Injectable()
export class ChatWriter {
  private waiting: Report[] = [];
  private underWay = 0;

  constructor(private readonly table: ChatTable) {}

  /** Stores the records that are new and says how many those were. */
  insert(records: ChatRecord[]): Promise<number> {
    return new Promise((stored, failed) => {
      this.waiting.push({ rows: toRows(records), stored, failed });
      if (this.underWay < STATEMENTS_AT_ONCE) void this.writeAllWaiting();
    });
  }

  private async writeAllWaiting(): Promise<void> {
    this.underWay++;
    while (this.waiting.length > 0) await this.write(this.takeSome());
    this.underWay--;
  }

  private takeSome(): Report[] {
    let rows = 0;
    const end = this.waiting.findIndex((report) => (rows += report.rows.length) > ROWS_A_STATEMENT);
    return this.waiting.splice(0, end === -1 ? this.waiting.length : Math.max(1, end));
  }

  private async write(reports: Report[]): Promise<void> {
    try {
      const news = await this.table.insertNew(reports.flatMap(({ rows }) => rows));
      for (const { rows, stored } of reports) stored(rows.filter((row) => news.has(row)).length);
    } catch (error) {
      // Nobody waits twice for a database that is not there: the ones behind would fare the same.
      const behind = isDatabaseUnavailable(error) ? this.waiting.splice(0) : [];
      for (const { failed } of [...reports, ...behind]) failed(error);
    }
  }
}
