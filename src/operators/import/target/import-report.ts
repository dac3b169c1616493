import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { listTable } from '../../cli/terminal.js';
import { BYTE_ORDER_MARK, toCsv } from '../../csv.js';
import type { Finding } from '../read/old-player-row.js';
import type { OldPlayerReader } from '../read/old-player-reader.js';

const FLUSH_AT_ROWS = 500;
const HEADINGS = ['class', 'old_id', 'account', 'detail', 'rule'];
const PROGRESS_MS = 10_000;
/** The columns of `import_finding` have these lengths. */
const MAX_NAME = 255;
const MAX_DETAIL = 500;

export class ImportReport {
  private readonly counts = new Map<string, { lines: number; rule: string }>();
  private file?: number;
  private lines: string[][] = [];
  readonly path: string;

  constructor(
    folder: string,
    name: string,
    private readonly players: OldPlayerReader,
  ) {
    mkdirSync(folder, { recursive: true });
    this.path = join(folder, `${name}.csv`);
  }

  add(finding: Finding): void {
    const { class: kind, key, name, detail, rule } = shortenFinding(finding);
    const known = this.counts.get(kind) ?? { lines: 0, rule };
    known.lines++;
    this.counts.set(kind, known);
    this.lines.push([kind, this.players.formatKey(key), name, detail, rule]);
    if (this.lines.length >= FLUSH_AT_ROWS) this.flush();
  }

  linesIn(kind: string): number {
    return this.counts.get(kind)?.lines ?? 0;
  }

  /** Returns the table for the terminal, or undefined if there are no findings. */
  close(): string | undefined {
    this.flush();
    rmSync(this.path, { force: true });
    if (this.file === undefined) return undefined;
    closeSync(this.file);
    renameSync(`${this.path}.unfinished`, this.path);
    return listTable([...this.counts], {
      what: ([kind]) => kind,
      lines: ([, { lines }]) => lines,
      rule: ([, { rule }]) => rule,
    });
  }

  private flush(): void {
    if (this.lines.length === 0) return;
    const heading = this.file === undefined ? BYTE_ORDER_MARK + toCsv([HEADINGS]) : '';
    // Only the file's owner may read names and e-mail addresses. The previous report stays until this one is complete.
    this.file ??= openSync(`${this.path}.unfinished`, 'w', 0o600);
    writeSync(this.file, heading + toCsv(this.lines));
    this.lines = [];
  }
}

/** Shortens the texts to the columns of `import_finding`, because the old columns may hold longer ones. */
export function shortenFinding({ name, detail, ...finding }: Finding): Finding {
  return { ...finding, name: name.slice(0, MAX_NAME), detail: detail.slice(0, MAX_DETAIL) };
}

/** Returns a function that counts rows and prints the progress from time to time. */
export function startProgress(label: string, total: number): (rows: number) => void {
  const startedAt = performance.now();
  let shownAt = startedAt;
  let done = 0;
  return (rows) => {
    done += rows;
    const now = performance.now();
    if (now - shownAt < PROGRESS_MS) return;
    shownAt = now;
    const share = Math.min(1, done / Math.max(1, total));
    const seconds = (now - startedAt) / 1000;
    const remaining = share > 0 ? formatDuration((seconds / share) * (1 - share)) : '…';
    console.error(
      `${label}: ${formatNumber(done)} of ${formatNumber(total)}, ${formatNumber(Math.round(done / seconds))}/s, ${remaining} left`,
    );
  };
}

export function formatNumber(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
}

export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 90 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}
