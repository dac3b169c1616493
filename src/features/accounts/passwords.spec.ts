import { describe, expect, it } from 'vitest';
import type { Environment } from '../../platform/config/environment.js';
import { Passwords } from './passwords.js';

const KEY = 'key-of-the-previous-generation';
const passwords = new Passwords({ PASSWORD_KEY: KEY } as Environment);

/** These hashes were made with `printf '%s%s' "$password" "$key" | md5sum`, in a UTF-8 terminal. */
const BY_MD5SUM = [
  ['secret', '7d11b4268f7212c5a22941db78654cd0'],
  ['correct horse', '7334522cfaab8275f48541d5e715016e'],
  ['密码很安全', 'bee9f5ab74802ed6cbb45b73d19d387d'],
  ['p😀ss😀wörd', 'a45d595d2f8d59dcabf0ca0ad5513c71'],
  ['a'.repeat(64), 'ba934bf7089e00556e816b6140742a96'],
  ['龙'.repeat(64), 'ec238430c3a17b54d69f4106ef5086f2'],
] as const;

describe('Passwords', () => {
  it.each(BY_MD5SUM)(
    'hashes %j like md5sum and matches only that exact password',
    (password, hash) => {
      expect(passwords.hash(password)).toBe(hash);
      expect(passwords.matches(password, hash)).toBe(true);
      expect(passwords.matches(`${password} `, hash)).toBe(false);
    },
  );

  it.each([undefined, '', '!', '\0'.repeat(32), '7'.repeat(33)])(
    'matches no password against the stored value %j',
    (stored) => {
      expect(passwords.matches('secret', stored)).toBe(false);
      expect(passwords.matchesHash('7d11b4268f7212c5a22941db78654cd0', stored)).toBe(false);
    },
  );
});
