import { describe, expect, it } from 'vitest';
import { aliasFor, collisionReason } from './collision.js';

describe('two names that a database takes for one', () => {
  it.each([
    ['Bob', 'bob', 'case'],
    ['josé', 'jose', 'accents'],
    ['ｊｏｓｅ', 'jose', 'accents'],
    ['bob ', 'bob', 'spaces at the end'],
    ['bob', 'bob', 'the same name twice'],
  ])('%j and %j: %s', (one, other, why) => {
    expect(collisionReason(one, other)).toBe(why);
  });

  it('are told apart afterwards by what told them apart before', () => {
    expect(aliasFor('bob', 'Bob')).toBe('=bob');
    expect(aliasFor('José', 'jose')).toBe('~josé');
    expect(aliasFor('bob', 'bob')).toBeUndefined();
  });
});
