import { describe, expect, it } from 'vitest';
import { codeRule, emailRule, newAccountRule, newPasswordRule, plainCode } from './rules';

describe('the rules of a new account', () => {
  it.each([
    [
      newAccountRule,
      ['hero', 'Dragon_Rider_99', 'a'.repeat(20)],
      ['abc', 'a'.repeat(21), 'a b c', '英雄英雄', ''],
    ],
    [
      newPasswordRule,
      ['123456', '密码密码密码', '🐉'.repeat(6), 'x'.repeat(64)],
      ['12345', '🐉'.repeat(5), 'x'.repeat(65)],
    ],
    [
      emailRule,
      ['a@b.cc', "O'Neil+x@mail.example-1.COM"],
      ['a', 'a@b', 'a b@c.de', '名@例.com', ''],
    ],
    [codeRule(6), ['012345'], ['12345', '1234567', '12345a', '']],
    [codeRule(8), ['01234567'], ['012345', '0123456a', '']],
    [codeRule(undefined), ['012345', '01234567'], ['']],
  ])('take what the service takes', (rule, right, wrong) => {
    for (const value of right) expect(rule(value), value).toBeUndefined();
    for (const value of wrong) expect(rule(value), value).toEqual(expect.any(String));
  });
});

it('a code may be pasted with blanks, or typed with wide digits', () => {
  for (const typed of ['741724', ' 741 724 ', '741-724', '７４１７２４'])
    expect(plainCode(typed)).toBe('741724');
});
