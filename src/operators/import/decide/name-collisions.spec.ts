import { describe, expect, it } from 'vitest';
import { collisionReason } from './name-collisions.js';

describe('collisionReason', () => {
  it.each([
    ['Bob', 'bob', 'case'],
    ['josé', 'jose', 'accents'],
    ['ｊｏｓｅ', 'jose', 'accents'],
    ['bob ', 'bob', 'spaces at the end'],
    ['bob', 'bob', 'the same name twice'],
  ])('explains why the database treats %j and %j as equal: %s', (one, other, why) => {
    expect(collisionReason(one, other)).toBe(why);
  });
});
