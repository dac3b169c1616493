import { stringify } from 'csv-stringify/sync';

/** At the start of a file: by it spreadsheets know that the text is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';
/** Names and notes come from other people; a spreadsheet would run one that looks like a formula. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r]/;

type Cell = string | number | object | null;

/** Rows of a CSV file. An apostrophe makes a spreadsheet take a formula for text. */
export function toCsv(rows: ReadonlyArray<readonly Cell[]>): string {
  return stringify([...rows], {
    record_delimiter: 'windows',
    // Spaces at the end of a name should show; line breaks are not always those of `record_delimiter`.
    quoted_match: /^\s|\s$|[\r\n]/,
    cast: {
      string: (text) => (FORMULA.test(text) ? `'${text}` : text),
    },
  });
}
