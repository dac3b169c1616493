import { describe, expect, it } from 'vitest';
import { ERROR_TABLE } from '../../../src/http/errors/error-table.js';
import { PROBLEMS } from '../../../src/operations/instance-problems.js';
import { en } from './en';
import { zh } from './zh';

describe.each(Object.entries({ en, zh }))('the words of the desk in %s', (_, words) => {
  it('name the errors of the desk', () => {
    const own = Object.entries(ERROR_TABLE).filter(([, [, when]]) => when.startsWith('the desk:'));
    expect(own.length).toBeGreaterThan(1);
    expect(Object.keys(words.errors)).toEqual(expect.arrayContaining(own.map(([name]) => name)));
  });

  it('name whatever can be wrong with an instance', () => {
    expect(Object.keys(words.problems)).toEqual(Object.keys(PROBLEMS));
  });

  it('have the same blanks to fill in as in English', () => {
    expect(blanksOf(words)).toEqual(blanksOf(en));
  });

  it('leave nothing empty, and use none of the signs that the formatter reads as its own', () => {
    for (const [key, text] of textsOf(words)) {
      expect(text.trim(), key).not.toBe('');
      expect(text, key).not.toMatch(/[@|]/);
    }
  });
});

function blanksOf(words: object): [string, string[]][] {
  return textsOf(words).map(([key, text]) => [key, (text.match(/\{\w+\}/g) ?? []).toSorted()]);
}

function textsOf(words: object, parent = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, value]: [string, string | object]) =>
    typeof value === 'string' ? [[parent + key, value]] : textsOf(value, `${parent}${key}.`),
  );
}
