import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { terminalTable } from '../cli/terminal-table.js';
import { BYTE_ORDER_MARK, toCsv } from '../csv.js';

const FLUSH_AT_ROWS = 500;
const HEADINGS = ['class', 'old_id', 'account', 'detail', 'rule'];

export interface Finding {
  class: string;
  /** As `formatKey` writes it. */
  key: string;
  account: string;
  detail: string;
  rule: string;
}

/** Findings for people: counted for the terminal, each in a line of a CSV file. */
export class ImportReport {
  readonly counts = new Map<string, { count: number; rule: string }>();
  private file?: number;
  private rows: string[][] = [];
  readonly path: string;

  /** `goesOn`: adds to what an earlier one has written. Otherwise that is gone, also where there is nothing to tell. */
  constructor(folder: string, name: string, append = false) {
    mkdirSync(folder, { recursive: true });
    this.path = join(folder, `${name}.csv`);
    if (!append) rmSync(this.path, { force: true });
  }

  add({ class: kind, key, account, detail, rule }: Finding): void {
    const known = this.counts.get(kind);
    this.counts.set(kind, { count: (known?.count ?? 0) + 1, rule });
    this.rows.push([kind, key, account, detail, rule]);
    if (this.rows.length >= FLUSH_AT_ROWS) this.flush();
  }

  /** The table for the terminal; undefined where there is nothing to tell. */
  close(): string | undefined {
    this.flush();
    if (this.file !== undefined) closeSync(this.file);
    const rows = [...this.counts].map(([kind, { count, rule }]) => [kind, count, rule]);
    return rows.length > 0 ? terminalTable(['what', 'how many', 'rule'], rows) : undefined;
  }

  private flush(): void {
    if (this.rows.length === 0) return;
    // Names and mailboxes of players: for the owner of the file alone.
    const isNew = !existsSync(this.path);
    this.file ??= openSync(this.path, 'a', 0o600);
    writeSync(this.file, (isNew ? BYTE_ORDER_MARK + toCsv([HEADINGS]) : '') + toCsv(this.rows));
    this.rows = [];
  }
}

/** The id; where the old table has none, the bytes of the name. Nothing where nobody is meant. */
export function formatKey(key: Buffer, numeric: boolean): string {
  if (key.length === 0) return '';
  return numeric ? String(key.readBigUInt64BE()) : key.toString('hex');
}
