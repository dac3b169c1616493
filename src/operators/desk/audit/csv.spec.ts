import { describe, expect, it } from 'vitest';
import { csvRow } from './csv.js';

describe('a row of CSV', () => {
  it('keeps commas, quotes and lines within their cells', () => {
    expect(csvRow([1, 'a,b', 'say "x"', 'two\nlines'])).toBe(
      '"1","a,b","say ""x""","two\nlines"\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1'])(
    'gives a spreadsheet nothing to calculate: %j',
    (text) => {
      expect(csvRow([text])).toBe(`"'${text}"\r\n`);
    },
  );
});
