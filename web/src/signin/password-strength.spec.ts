import { expect, it } from 'vitest';
import { strengthOf } from './password-strength';

it.each([
  ['123456', 'weak'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['Password2026!', 'weak'],
  ['hero_of_sand!9', 'weak'],
  ['kxtrwq', 'weak'],
  ['kxtrwq94', 'weak'],
  ['moonlit94tea', 'fair'],
  ['Tr0ub4dor&3', 'strong'],
  ['correct horse battery', 'strong'],
  ['城门月光照铁衣千里不归人', 'fair'],
])('strengthOf rates %j as %s', (password, strength) => {
  expect(strengthOf(password, 'Hero_of_Sand')).toBe(strength);
});
