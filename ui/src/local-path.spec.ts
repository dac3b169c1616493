import { describe, expect, it } from 'vitest';
import { localPath } from './local-path';

describe('localPath', () => {
  it.each([
    ['/withdraw', '/withdraw'],
    ['/withdraw?server=2', '/withdraw?server=2'],
    ['/players/7?x=1', '/players/7?x=1'],
    ['/', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/./\\evil.example', '/'],
    ['/a/..//evil.example', '/'],
    ['https://evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/signin?return_to=/signin', '/'],
    ['/sign-in?return_to=/servers', '/'],
    ['', '/'],
    [undefined, '/'],
    [['/withdraw'], '/'],
  ])('turns %j into %s', (wish, path) => {
    expect(localPath(wish)).toBe(path);
  });
});
