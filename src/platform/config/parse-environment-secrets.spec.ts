import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { problemsOf, SERVED } from '../../../test/support/served-environment.js';
import { parseEnvironment } from './parse-environment.js';

const EVENT_SECRET = `whsec_${'A'.repeat(32)}`;

describe('parseEnvironment', () => {
  it.each([
    ['short secrets', { JWT_SECRET: 'j'.repeat(31) }, 'JWT_SECRET must be at least 32 bytes long'],
    [
      'equal secrets',
      { JWT_SECRET: 'x'.repeat(32), GM_SECRET: 'x'.repeat(32) },
      'JWT_SECRET and GM_SECRET must not be equal',
    ],
    [
      'a callback secret that equals another secret',
      { GAME_CALLBACK_SECRET: 'g'.repeat(16) },
      'GM_SECRET and GAME_CALLBACK_SECRET must not be equal',
    ],
    [
      'more than two callback secrets',
      { GAME_CALLBACK_SECRET: 'a'.repeat(16) + ',' + 'b'.repeat(16) + ',' + 'c'.repeat(16) },
      'GAME_CALLBACK_SECRET must be one secret, or two separated by a comma',
    ],
    [
      'a callback secret of only commas',
      { GAME_CALLBACK_SECRET: ' , ' },
      'GAME_CALLBACK_SECRET must be one secret, or two separated by a comma',
    ],
    [
      'a callback secret that is too short',
      { GAME_CALLBACK_SECRET: 'c'.repeat(15) },
      'GAME_CALLBACK_SECRET must be at least 16 bytes long',
    ],
    [
      'the same callback secret twice',
      { GAME_CALLBACK_SECRET: `${'c'.repeat(16)},${'c'.repeat(16)}` },
      'GAME_CALLBACK_SECRET names the same secret twice',
    ],
    [
      'an event secret without a name',
      { EVENT_SECRETS: EVENT_SECRET },
      'EVENT_SECRETS must list name=whsec_…, separated by commas',
    ],
    [
      'an event secret that is too short',
      { EVENT_SECRETS: `game=${EVENT_SECRET},shop=whsec_c2hvcnQ=` },
      'EVENT_SECRETS: shop must be whsec_ and 24 to 64 bytes in base64',
    ],
    [
      'the same event secret twice for an endpoint',
      { EVENT_SECRETS: `game=${EVENT_SECRET},game=${EVENT_SECRET}` },
      'EVENT_SECRETS: game must have one secret, or two different ones while you rotate it',
    ],
    [
      'the forum secret from .env.example',
      {
        FORUM_AUTHORIZE_URL: 'https://forum.example/authorize',
        FORUM_TOKEN_URL: 'https://forum.example/token',
        FORUM_USERINFO_URL: 'https://forum.example/userinfo',
        FORUM_CLIENT_ID: 'gatehouse',
        FORUM_CLIENT_SECRET: 'replace-with-the-client-secret',
      },
      'FORUM_CLIENT_SECRET still has the value of .env.example',
    ],
  ])('rejects %s', (_, change, problem) => {
    expect(problemsOf({ ...SERVED, ...change })).toEqual([problem]);
  });

  it('keeps secrets unchanged, including spaces', () => {
    const PASSWORD_KEY = ' key that ends in a space ';
    expect(parseEnvironment({ ...SERVED, PASSWORD_KEY }).PASSWORD_KEY).toBe(PASSWORD_KEY);
    expect(problemsOf({ ...SERVED, PASSWORD_KEY: ' ' })).toEqual(['PASSWORD_KEY must be set']);
  });

  it('rejects every placeholder secret from .env.example', () => {
    const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
    const shown = [
      ...example.matchAll(
        /^#? ?(PASSWORD_KEY|JWT_SECRET|GM_SECRET|GAME_CALLBACK_SECRET|EVENT_SECRETS)=(.+)$/gm,
      ),
    ];
    expect(shown.length).toBeGreaterThanOrEqual(5);
    for (const [, name = '', value = ''] of shown)
      expect(problemsOf({ ...SERVED, [name]: value }).join()).toContain('.env.example');
  });
});
