import { printable } from './printable.js';

type Cell = string | number | Date | null;

/** Rows under their headings, in columns as wide as needed. Numbers are right-aligned. */
export function terminalTable(headings: string[], rows: Cell[][]): string {
  const texts = rows.map((row) => row.map(toText));
  const widths = headings.map((heading, column) =>
    Math.max(...[heading, ...texts.map((row) => row[column] ?? '')].map(widthOf)),
  );
  const isNumber = headings.map((_, column) =>
    rows.every((row) => typeof row[column] === 'number' || row[column] === null),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => {
        const gap = ' '.repeat((widths[column] ?? 0) - widthOf(cell));
        return rows.length > 0 && isNumber[column] ? gap + cell : cell + gap;
      })
      .join('  ')
      .trimEnd();
  return [line(headings), line(widths.map((width) => '─'.repeat(width))), ...texts.map(line)].join(
    '\n',
  );
}

/** The rows of a list, by columns. */
export function listTable<Row>(
  rows: readonly Row[],
  columns: Record<string, (row: Row) => Cell>,
  none = 'There are none.',
): string {
  if (rows.length === 0) return none;
  const cells = Object.values(columns);
  const texts = rows.map((row) => cells.map((cell) => cell(row)));
  return terminalTable(Object.keys(columns), texts);
}

function toText(cell: Cell): string {
  if (cell === null) return '–';
  if (cell instanceof Date) return cell.toISOString().slice(0, 19).replace('T', ' ');
  // A line break would break the row.
  return printable(String(cell)).replaceAll('\n', '·');
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Emoji_Presentation}/u;

/** Chinese characters and emoji take two columns. */
function widthOf(text: string): number {
  return Array.from(text).reduce((width, one) => width + (WIDE.test(one) ? 2 : 1), 0);
}
