import { describe, expect, it } from 'vitest';
import { toCsv } from './csv.js';

describe('toCsv', () => {
  it('quotes commas, quotation marks, line breaks and spaces at either end', () => {
    const rows = [
      [1, 'a,b', 'say "x"'],
      ['two\nlines', 'padded ', null],
      [-1, { n: 4 }, '有'],
    ];
    expect(toCsv(rows)).toBe(
      '1,"a,b","say ""x"""\r\n"two\nlines","padded ",\r\n-1,"{""n"":4}",有\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1', '＋1', '－1', '＠SUM(A1)', ' =1', '　＝1'])(
    'prefixes %j so that a spreadsheet does not evaluate it',
    (text) => {
      expect(toCsv([[text]])).toBe(`'${text}\r\n`);
    },
  );

  it.each(['\t=1', '\r=1', '\t1', '\r1'])('prefixes %j with an apostrophe', (text) => {
    expect(toCsv([[text]]).replaceAll('"', '')).toBe(`'${text}\r\n`);
  });
});
