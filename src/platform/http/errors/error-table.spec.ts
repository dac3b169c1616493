import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_TABLE } from './error-table.js';

describe('The error table', () => {
  it('matches the list in docs/reference.md', () => {
    const page = readFileSync(new URL('../../../../docs/reference.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^- (\d{5}) `(\w+)`: (.*)$/gm)].map(([, code, error, when]) => [
      error,
      [Number(code), when],
    ]);
    expect(rows).toEqual(Object.entries(ERROR_TABLE));
  });

  it('gives every error its own code', () => {
    const codes = Object.values(ERROR_TABLE).map(([code]) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).toEqual(codes.toSorted((one, other) => one - other));
  });
});
