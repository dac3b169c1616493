import { stringify } from 'csv-stringify/sync';

/** A byte order mark, by which spreadsheets recognise UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';
/** Names and notes come from other people; a spreadsheet would execute one that looks like a formula. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r]/;

type Cell = string | number | object | null;

/** The rows of a CSV file. An apostrophe makes a spreadsheet treat a formula as text. */
export function toCsv(rows: ReadonlyArray<readonly Cell[]>): string {
  return stringify([...rows], {
    record_delimiter: 'windows',
    // Spaces at the end of a name must be visible; line breaks may differ from `record_delimiter`.
    quoted_match: /^\s|\s$|[\r\n]/,
    cast: {
      string: (text) => (FORMULA.test(text) ? `'${text}` : text),
    },
  });
}
