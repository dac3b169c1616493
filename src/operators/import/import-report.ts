import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { listTable } from '../cli/terminal-table.js';
import { BYTE_ORDER_MARK, toCsv } from '../csv.js';

const FLUSH_AT_ROWS = 500;
const HEADINGS = ['class', 'old_id', 'account', 'detail', 'rule'];

/** What an operator must know about a row, and the rule that a run follows. */
export interface Note {
  class: string;
  detail: string;
  rule: string;
}

export interface Finding extends Note {
  /** As `formatKey` writes it. */
  key: string;
  account: string;
}

/** Findings for people: counted for the terminal, and as lines of a CSV file. */
export class ImportReport {
  private readonly counts = new Map<string, { lines: number; rows: Set<string>; rule: string }>();
  private file?: number;
  private lines: string[][] = [];
  readonly path: string;

  constructor(folder: string, name: string) {
    mkdirSync(folder, { recursive: true });
    this.path = join(folder, `${name}.csv`);
    rmSync(this.path, { force: true });
  }

  add({ class: kind, key, account, detail, rule }: Finding): void {
    const known = this.counts.get(kind) ?? { lines: 0, rows: new Set(), rule };
    known.lines++;
    known.rows.add(key || account);
    this.counts.set(kind, known);
    this.lines.push([kind, key, account, detail, rule]);
    if (this.lines.length >= FLUSH_AT_ROWS) this.flush();
  }

  /** The table for the terminal; undefined if there is nothing to report. */
  close(): string | undefined {
    this.flush();
    if (this.file !== undefined) closeSync(this.file);
    if (this.counts.size === 0) return undefined;
    return listTable([...this.counts], {
      what: ([kind]) => kind,
      'old rows': ([, { rows }]) => rows.size,
      lines: ([, { lines }]) => lines,
      rule: ([, { rule }]) => rule,
    });
  }

  private flush(): void {
    if (this.lines.length === 0) return;
    // Contains names and mailboxes of players: readable only by the file's owner.
    const heading = this.file === undefined ? BYTE_ORDER_MARK + toCsv([HEADINGS]) : '';
    this.file ??= openSync(this.path, 'w', 0o600);
    writeSync(this.file, heading + toCsv(this.lines));
    this.lines = [];
  }
}
