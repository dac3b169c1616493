import { describe, expect, it } from 'vitest';
import { readDocument } from '../support/documents/source-code.js';

interface Mutant {
  name: string;
  file: string;
  replace: string;
  by: string;
}
const mutants = JSON.parse(readDocument('test/mutants.json')) as Mutant[];

describe('test/mutants.json', () => {
  it('lists 40 lines by unique names', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(40);
    expect(mutants).toHaveLength(40);
  });

  it.each(mutants)('names a line that exists once: $name', ({ file, replace, by }) => {
    expect(readDocument(file).split(replace)).toHaveLength(2);
    expect(by).not.toBe(replace);
  });
});
