import { describe, expect, it } from 'vitest';
import { normalizeMailbox } from './send-limits.js';

describe('normalizeMailbox', () => {
  it.each([
    ['hero@mail.example', 'hero@mail.example'],
    ['h.er.o@mail.example', 'hero@mail.example'],
    ['hero+1@mail.example', 'hero@mail.example'],
    ['he.ro+a.b+c@Mail.Example', 'hero@mail.example'],
    ['hero@sub.mail.example', 'hero@sub.mail.example'],
    ['+tag@mail.example', '+tag@mail.example'],
  ])('normalises %s to %s', (email, counted) => {
    expect(normalizeMailbox(email)).toBe(counted);
  });
});
