import { describe, expect, it } from 'vitest';
import { readDocument } from '../support/documents/source-code.js';

interface Mutant {
  name: string;
  file: string;
  replace: string;
}
const mutants = JSON.parse(readDocument('test/mutants.json')) as Mutant[];

describe('test/mutants.json', () => {
  it('lists 58 lines by unique names', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(58);
    expect(mutants).toHaveLength(58);
  });

  it('quotes only lines that exist exactly once', () => {
    const stale = mutants.filter(
      ({ file, replace }) => readDocument(file).split(replace).length !== 2,
    );
    expect(stale.map(({ name }) => name)).toEqual([]);
  });
});
