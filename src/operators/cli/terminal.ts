import { createInterface } from 'node:readline/promises';
import { CommandFailed, UsageError } from './command.js';

/** Matches control and direction characters except the line break. */
const HIDDEN = /[^\P{C}\n]/gu;
/** Matches most cells of a long table, so that these cells skip the slower checks of single characters. */
const PLAIN = /^[\n -~]*$/;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Emoji_Presentation}/u;

type Cell = string | number | Date | null;

/** Formats a table with right-aligned numbers. */
export function terminalTable(headings: string[], rows: Cell[][]): string {
  const texts = rows.map((row) => row.map(toText));
  const widths = headings.map((heading, column) =>
    texts.reduce((width, row) => Math.max(width, widthOf(row[column] ?? '')), widthOf(heading)),
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
  if (typeof cell === 'number') return String(cell);
  if (cell instanceof Date) return cell.toISOString().slice(0, 19).replace('T', ' ');
  // A line break would split the row.
  return printable(cell).replaceAll('\n', '·');
}

/** Counts two columns for each Chinese character and emoji. */
function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return Array.from(text).reduce((width, one) => width + (WIDE.test(one) ? 2 : 1), 0);
}

/** Replaces control and direction characters, because names and notes come from untrusted people. */
export function printable(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(HIDDEN, '·');
}

/** Escapes characters that JSON allows but that could affect a terminal. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(HIDDEN, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Describes the action and asks for confirmation unless `--yes` was given. */
export async function confirm(message: string, { yes }: { yes?: boolean }): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY)
    throw new UsageError(`${message}\nThere is no terminal for the confirmation: add --yes.`);
  // Standard output is reserved for --json.
  console.error(printable(message));
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question('Go on? [y/N] ');
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailed('nothing was done');
  } finally {
    terminal.close();
  }
}

/** Reads a secret from the terminal or from standard input, because other users can see command arguments. */
export async function readSecret(prompt: string): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) {
    process.stderr.write(prompt);
    stdin.setRawMode(true);
  }
  let text = '';
  try {
    for await (const chunk of stdin as AsyncIterable<Buffer>) {
      for (const letter of chunk.toString()) {
        if (letter === '\u0003') throw new CommandFailed('nothing was done');
        if (letter === '\r' || letter === '\n') return text;
        text = letter === '\u007f' ? text.slice(0, -1) : text + letter;
      }
    }
    return text;
  } finally {
    if (stdin.isTTY) {
      stdin.setRawMode(false);
      process.stderr.write('\n');
    }
    stdin.pause();
  }
}
