import { describe, expect, it } from 'vitest';
import { csvRow } from './csv.js';

describe('csvRow', () => {
  it('quotes commas, quotation marks and line breaks', () => {
    expect(csvRow([1, 'a,b', 'say "x"', 'two\nlines'])).toBe(
      '"1","a,b","say ""x""","two\nlines"\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1'])(
    'prefixes %j so that a spreadsheet does not evaluate it',
    (text) => {
      expect(csvRow([text])).toBe(`"'${text}"\r\n`);
    },
  );
});
