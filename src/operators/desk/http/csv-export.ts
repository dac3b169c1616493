import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog } from '../../../platform/audit/audit-log.js';
import type { DeskOperator } from '../../actions/operators/operator.entity.js';
import { BYTE_ORDER_MARK, toCsv } from '../../csv.js';

export const CSV_PAGE_SIZE = 500;
/** The limit is needed because a search for words may read many rows without a match. */
const MAX_PAGES = 1000;

type Row<Column extends string> = Record<Column, string | number | object | null>;
interface Page<Column extends string> {
  rows: Row<Column>[];
  next: number | null;
}

/** Each export is audited before any row is read. */
@Injectable()
export class CsvExport {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
  ) {}

  async begin<Column extends string>(
    { name: by }: DeskOperator,
    { subject, filter }: { subject: string; filter: object },
    columns: readonly Column[],
    read: (before: number | undefined) => Promise<Page<NoInfer<Column>>>,
  ): Promise<AsyncIterable<string>> {
    const entry = { act: 'desk.export', subject, before: null, after: filter };
    await this.audit.write(this.dataSource.manager, { by, note: '' }, entry);
    return exportCsv(columns, read);
  }
}

/** Reads one page at a time. If the export stops early, the last line of the file says so. */
export async function* exportCsv<Column extends string>(
  columns: readonly Column[],
  read: (before: number | undefined) => Promise<Page<NoInfer<Column>>>,
): AsyncGenerator<string> {
  // The header is sent with the first rows, so that a failure to read these can still be answered with an error.
  let header = BYTE_ORDER_MARK + toCsv([columns]);
  let count = 0;
  let before: number | undefined;
  for (let pages = 1; ; pages++) {
    const { rows, next } = await read(before);
    const lines = toCsv(rows.map((row) => columns.map((column) => text(row[column]))));
    if (header + lines !== '') yield header + lines;
    header = '';
    count += rows.length;
    if (next === null) return;
    if (pages === MAX_PAGES) {
      yield toCsv([[`Not complete: stopped after ${count} rows. Narrow the filters.`]]);
      return;
    }
    before = next;
  }
}

function text(value: string | number | object | null) {
  return value instanceof Date ? value.toISOString() : value;
}
