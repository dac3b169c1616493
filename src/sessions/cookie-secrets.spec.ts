import { describe, expect, it } from 'vitest';
import type { Environment } from '../config/environment.js';
import { CookieSecrets } from './cookie-secrets.js';

const secretsUnder = (JWT_SECRET: string) => new CookieSecrets({ JWT_SECRET } as Environment);
const secrets = secretsUnder('a-secret-for-tokens-that-is-long-enough');

describe('the secret of a cookie', () => {
  it('has 256 bits, and another one each time', () => {
    const made = Array.from({ length: 100 }, () => secrets.random());
    for (const secret of made) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(new Set(made).size).toBe(100);
  });

  it('is followed by the same one for the same salt, and under another key by another', () => {
    const [secret, salt] = [secrets.random(), secrets.random()];
    const next = secrets.next(secret, salt);
    expect(Buffer.from(next, 'base64url')).toHaveLength(32);
    expect(secrets.next(secret, salt)).toBe(next);
    expect(secrets.next(secret, secrets.random())).not.toBe(next);
    expect(secretsUnder('another-secret-for-tokens-of-its-own').next(secret, salt)).not.toBe(next);
  });

  it('is recognised by its hash', () => {
    const secret = secrets.random();
    expect(secrets.isHashOf(secret, secrets.hash(secret))).toBe(true);
    for (const stored of [secrets.hash(secrets.random()), secret, '', null])
      expect(secrets.isHashOf(secret, stored)).toBe(false);
  });

  it('is read back as it was written, and nothing else is', () => {
    const cookie = { playerId: 42, id: 2 ** 48 - 1, secret: secrets.random() };
    const written = secrets.write(cookie);
    expect(secrets.read(written)).toEqual(cookie);
    for (const other of [
      `${written}.`,
      ` ${written}`,
      written.slice(0, -1),
      `0${written}`,
      '',
      'x',
    ])
      expect(secrets.read(other)).toBeUndefined();
    expect(secrets.read(undefined)).toBeUndefined();
  });
});
