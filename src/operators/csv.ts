import { stringify } from 'csv-stringify/sync';

/** This byte order mark tells spreadsheets that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';
/**
 * Finds positions at which a formula could begin, because names and notes come from untrusted people. In many countries
 * spreadsheets split lines at semicolons and ignore quotation marks, so a cell may also begin after a semicolon, a tab
 * or a line break.
 */
const FORMULA = /(^|[;\t\r\n])(?=["\s]*[=+\-@＝＋－＠])|^(?=[\t\r])/g;

type Cell = string | number | object | null;

/** Returns the rows as CSV text. An apostrophe makes spreadsheets treat a formula as text. */
export function toCsv(rows: ReadonlyArray<readonly Cell[]>): string {
  return stringify([...rows], {
    record_delimiter: 'windows',
    // Quotes show spaces at the end of a name, and are needed for line breaks that differ from `record_delimiter`.
    quoted_match: /^\s|\s$|[\r\n]/,
    cast: { string: asText, object: (value) => asText(JSON.stringify(value)) },
  });
}

function asText(cell: string): string {
  return cell.replace(FORMULA, "$1'");
}
