import { describe, expect, it } from 'vitest';
import { possibleGameNames } from './game-account.service.js';
import { MAX_SPELLINGS } from './game-database.js';

describe('possibleGameNames', () => {
  it('returns only the exact name even if one of many servers also has a name that differs by an accent', () => {
    const servers = Array.from({ length: MAX_SPELLINGS }, () => ['foo']);
    expect(possibleGameNames('foo', [...servers, ['foo', 'fóo']])).toEqual(['foo']);
  });

  it('returns several names if a server has more spellings than were read', () => {
    const spellings = Array.from({ length: MAX_SPELLINGS }, (_, n) =>
      n === 0 ? 'foo' : `fóo${n}`,
    );
    expect(possibleGameNames('foo', [spellings]).length).toBeGreaterThan(1);
  });

  it('returns both names if two servers spell the name in different cases', () => {
    expect(possibleGameNames('foo', [['Foo'], ['FOO']])).toEqual(['Foo', 'FOO']);
  });
});
