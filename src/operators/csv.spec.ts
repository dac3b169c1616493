import { describe, expect, it } from 'vitest';
import { toCsv } from './csv.js';

describe('toCsv', () => {
  it('quotes values with commas, quotation marks, line breaks, or leading or trailing spaces', () => {
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
    'prefixes %j to keep a spreadsheet from evaluating it',
    (text) => {
      expect(toCsv([[text]])).toBe(`'${text}\r\n`);
    },
  );

  it.each([
    ['x;=1+1', "x;'=1+1"],
    ['x; -1', "x;' -1"],
    ['x;"=1"', "x;'=1"],
    ['x\t@SUM(A1)', "x\t'@SUM(A1)"],
    ['x\n=1', "x\n'=1"],
    ['x;y', 'x;y'],
    ['1 - 1', '1 - 1'],
    [{ note: 'x;=1' }, "{note:x;'=1}"],
  ])('makes %j harmless in a spreadsheet that splits lines at semicolons or tabs', (cell, text) => {
    expect(toCsv([[cell]]).replaceAll('"', '')).toBe(`${text}\r\n`);
  });

  it.each(['\t1', '\r1'])('prefixes %j with an apostrophe', (text) => {
    expect(toCsv([[text]]).replaceAll('"', '')).toBe(`'${text}\r\n`);
  });
});
