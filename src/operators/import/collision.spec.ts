import { describe, expect, it } from 'vitest';
import { collisionReason } from './collision.js';

describe('Two names that are equal to the database', () => {
  it.each([
    ['Bob', 'bob', 'case'],
    ['josé', 'jose', 'accents'],
    ['ｊｏｓｅ', 'jose', 'accents'],
    ['bob ', 'bob', 'spaces at the end'],
    ['bob', 'bob', 'the same name twice'],
  ])('such as %j and %j differ by %s', (one, other, why) => {
    expect(collisionReason(one, other)).toBe(why);
  });
});
