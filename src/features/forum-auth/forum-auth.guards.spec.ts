import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeReturnPath } from './forum-auth.guards.js';

const HOME = 'https://play.example';

describe('The return URL', () => {
  it.each([
    '/',
    '/withdraw',
    '/withdraw/',
    '/agree/v1.2',
    '/withdraw?server_id=1&role=%E9%BE%99#amount',
    '/?next=https://elsewhere.example/',
    '/#top',
  ])('accepts %j', (path) => {
    expect(safeReturnPath(path)).toBe(path);
  });

  it.each([
    'https://evil.example',
    'HTTPS:evil.example',
    'https:/evil.example',
    '//evil.example',
    '///evil.example',
    '////evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '\\\\evil.example',
    '/\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r/evil.example',
    '\t//evil.example',
    ' //evil.example',
    ' /withdraw',
    '/withdraw\n',
    '/\0/evil.example',
    '/%2fevil.example',
    '/%2f%2fevil.example',
    '/%2F/evil.example',
    '/%252f%252fevil.example',
    '/%5cevil.example',
    '/%5c%5cevil.example',
    '/%09/evil.example',
    '/%0d%0aLocation:%20https://evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/./\\evil.example',
    '/%2e%2e//evil.example',
    '/withdraw//evil.example',
    '/withdraw/..//evil.example',
    '/;@evil.example',
    '/@evil.example',
    '@evil.example',
    '.evil.example',
    ':80@evil.example',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    '/javascript:alert(1)',
    'data:text/html,x',
    '／／evil.example',
    '/／evil.example',
    '/∕evil.example',
    '/⁄evil.example',
    '/\u2028/evil.example',
    '/\u200b/evil.example',
    '/evil。example',
    '?//evil.example',
    '#//evil.example',
    '/x?\\\\evil.example',
    '/x#<script>',
    '',
    undefined,
    null,
    7,
    ['/withdraw'],
    { path: '/withdraw' },
  ])('falls back to the home page for %j', (input) => {
    expect(safeReturnPath(input)).toBe('/');
  });

  it('falls back to the home page for a path of 600 characters', () => {
    expect(safeReturnPath(`/${'x'.repeat(600)}`)).toBe('/');
  });

  it('stays on this site for random input', () => {
    const pieces = constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2f',
      '%5c',
      '%09',
      '\t',
      '@',
      ':',
      '?',
      '#',
      'a',
      'evil.example',
      'https:',
      '／',
    );
    const inputs = oneof(
      string(),
      array(pieces, { maxLength: 8 }).map((list) => `/${list.join('')}`),
    );
    assert(
      property(inputs, (input) => {
        const path = safeReturnPath(input);
        for (const reading of [path, decodeOrKeep(path), decodeOrKeep(decodeOrKeep(path))]) {
          const beforeQuery = reading.split(/[?#]/)[0]!;
          expect(new URL(beforeQuery, HOME).origin).toBe(HOME);
          expect(new URL(new URL(beforeQuery, HOME).pathname, HOME).origin).toBe(HOME);
          expect(new URL(HOME + path).origin).toBe(HOME);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
