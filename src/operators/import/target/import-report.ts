import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { listTable } from '../../cli/terminal.js';
import { BYTE_ORDER_MARK, toCsv } from '../../csv.js';
import type { Note } from '../read/old-player-row.js';
import { formatKey } from '../read/old-player-reader.js';

const FLUSH_AT_ROWS = 500;
const HEADINGS = ['class', 'old_id', 'account', 'detail', 'rule'];
const PROGRESS_MS = 10_000;
/** The columns of `import_finding` have these lengths. */
const MAX_NAME = 255;
const MAX_DETAIL = 500;

export interface Finding extends Note {
  /** The key is empty if the finding is not about a player. */
  key: string;
  name: string;
}

export class ImportReport {
  private readonly counts = new Map<string, { lines: number; rows: Set<string>; rule: string }>();
  private file?: number;
  private lines: string[][] = [];
  readonly path: string;
  private readonly unfinished: string;

  constructor(
    folder: string,
    name: string,
    private readonly numericKey: boolean,
  ) {
    mkdirSync(folder, { recursive: true });
    this.path = join(folder, `${name}.csv`);
    // The previous report stays until this one is complete.
    this.unfinished = `${this.path}.unfinished`;
  }

  add(finding: Finding): void {
    const { class: kind, key, name, detail, rule } = shortenFinding(finding);
    const known = this.counts.get(kind) ?? { lines: 0, rows: new Set(), rule };
    known.lines++;
    known.rows.add(key || name);
    this.counts.set(kind, known);
    this.lines.push([kind, formatKey(key, this.numericKey), name, detail, rule]);
    if (this.lines.length >= FLUSH_AT_ROWS) this.flush();
  }

  playersIn(kind: string): number {
    return this.counts.get(kind)?.rows.size ?? 0;
  }

  /** Returns the table for the terminal, or undefined if there are no findings. */
  close(): string | undefined {
    this.flush();
    rmSync(this.path, { force: true });
    if (this.file === undefined) return undefined;
    closeSync(this.file);
    renameSync(this.unfinished, this.path);
    return listTable([...this.counts], {
      what: ([kind]) => kind,
      'old rows': ([, { rows }]) => rows.size,
      lines: ([, { lines }]) => lines,
      rule: ([, { rule }]) => rule,
    });
  }

  private flush(): void {
    if (this.lines.length === 0) return;
    const heading = this.file === undefined ? BYTE_ORDER_MARK + toCsv([HEADINGS]) : '';
    // Only the file's owner may read the players' names and e-mail addresses.
    this.file ??= openSync(this.unfinished, 'w', 0o600);
    writeSync(this.file, heading + toCsv(this.lines));
    this.lines = [];
  }
}

/** Old columns may hold longer texts than our table and a reader of the report can take. */
export function shortenFinding({ name, detail, ...finding }: Finding): Finding {
  return { ...finding, name: name.slice(0, MAX_NAME), detail: detail.slice(0, MAX_DETAIL) };
}

export class Progress {
  private done = 0;
  private shownAt = performance.now();
  private readonly startedAt = performance.now();

  constructor(
    private readonly label: string,
    private readonly total: number,
  ) {}

  advance(by: number): void {
    this.done += by;
    const now = performance.now();
    if (now - this.shownAt < PROGRESS_MS) return;
    this.shownAt = now;
    const share = Math.min(1, this.done / Math.max(1, this.total));
    const seconds = (now - this.startedAt) / 1000;
    const remaining = share > 0 ? formatDuration((seconds / share) * (1 - share)) : '…';
    console.error(
      `${this.label}: ${formatNumber(this.done)} of ${formatNumber(this.total)}, ${formatNumber(Math.round(this.done / seconds))}/s, ${remaining} left`,
    );
  }
}

export function formatNumber(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
}

export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 90 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}
