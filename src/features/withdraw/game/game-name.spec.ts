import { describe, expect, it } from 'vitest';
import { MAX_SPELLINGS, possibleGameNames } from './game-name.js';

describe('possibleGameNames', () => {
  it('finds the exact name on many servers although one has a twin with an accent', () => {
    const servers = Array.from({ length: MAX_SPELLINGS }, () => ['foo']);
    expect(possibleGameNames('foo', [...servers, ['foo', 'fóo']])).toEqual(['foo']);
  });

  it('is undecided where a server has more spellings than were read', () => {
    const spellings = Array.from({ length: MAX_SPELLINGS }, (_, n) =>
      n === 0 ? 'foo' : `fóo${n}`,
    );
    expect(possibleGameNames('foo', [spellings]).length).toBeGreaterThan(1);
  });

  it('is undecided where two servers spell the name in different cases', () => {
    expect(possibleGameNames('foo', [['Foo'], ['FOO']])).toEqual(['Foo', 'FOO']);
  });
});
