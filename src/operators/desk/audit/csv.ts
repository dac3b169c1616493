// What a spreadsheet takes for a formula: the notes are other people's words.
const FORMULA = /^[=+\-@\t\r]/;

/** One row. Every cell is quoted; one that a spreadsheet would calculate begins with an apostrophe. */
export function csvRow(cells: ReadonlyArray<string | number>): string {
  return `${cells.map((cell) => quoted(String(cell))).join(',')}\r\n`;
}

function quoted(text: string): string {
  const plain = FORMULA.test(text.trimStart()) || FORMULA.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
