import { expect, it } from 'vitest';
import { localPath } from './local-path';

it.each([
  ['/players/7?x=1', '/players/7?x=1'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/sign-in?return_to=/zones', '/'],
  [undefined, '/'],
  [['/zones'], '/'],
])('from %j to %s', (wish, path) => {
  expect(localPath(wish)).toBe(path);
});
