import { describe, expect, it } from 'vitest';
import type { Environment } from '../../platform/config/environment.js';
import { CookieSecrets } from './session-cookie.js';
import { signInResponse } from './sign-in-response.js';

const secretsUnder = (JWT_SECRET: string) => new CookieSecrets({ JWT_SECRET } as Environment);
const secrets = secretsUnder('a-secret-for-tokens-that-is-long-enough');

describe('Cookie secrets', () => {
  it('have 256 random bits', () => {
    const made = Array.from({ length: 100 }, () => secrets.generate());
    for (const secret of made) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(new Set(made).size).toBe(100);
  });

  it('have a successor that depends only on the salt and the key', () => {
    const [secret, salt] = [secrets.generate(), secrets.generate()];
    const next = secrets.deriveNext(secret, salt);
    expect(Buffer.from(next, 'base64url')).toHaveLength(32);
    expect(secrets.deriveNext(secret, salt)).toBe(next);
    expect(secrets.deriveNext(secret, secrets.generate())).not.toBe(next);
    expect(secretsUnder('another-secret-for-tokens-of-its-own').deriveNext(secret, salt)).not.toBe(
      next,
    );
  });

  it('are recognised by their hash', () => {
    const secret = secrets.generate();
    expect(secrets.matchesHash(secret, secrets.hash(secret))).toBe(true);
    for (const stored of [secrets.hash(secrets.generate()), secret, '', null])
      expect(secrets.matchesHash(secret, stored)).toBe(false);
  });

  it('are read only from a well-formed cookie', () => {
    const cookie = { playerId: 42, id: 2 ** 48 - 1, secret: secrets.generate() };
    const written = secrets.serialize(cookie);
    expect(secrets.parse(written)).toEqual({ ...cookie, isGenuine: true });
    for (const other of [
      `${written}.`,
      ` ${written}`,
      written.slice(0, -1),
      `0${written}`,
      '',
      'x',
    ])
      expect(secrets.parse(other)).toBeUndefined();
    expect(secrets.parse(undefined)).toBeUndefined();
  });

  it('are genuine only with a matching signature, matching ids and the right key', () => {
    const cookie = { playerId: 42, id: 7, secret: secrets.generate() };
    const written = secrets.serialize(cookie);
    const unsigned = written.slice(0, -44);
    const others = [
      unsigned,
      `${unsigned}.${'a'.repeat(43)}`,
      written.replace('42.7', '42.8'),
      written.replace('42.7', '43.7'),
      secretsUnder('another-secret-for-tokens-of-its-own').serialize(cookie),
    ];
    for (const other of others) expect(secrets.parse(other)).toMatchObject({ isGenuine: false });
  });
});

describe('signInResponse', () => {
  it('throws when code serialises the response together with its cookie', () => {
    expect(() =>
      JSON.stringify({ code: 0, data: signInResponse({ id: 1 }, { cookie: 'secret' }) }),
    ).toThrow(/SessionCookieInterceptor/);
  });
});
