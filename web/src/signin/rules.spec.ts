import { describe, expect, it } from 'vitest';
import { codeRule, emailRule, newAccountRule, newPasswordRule, plainCode } from './rules';

describe('The form rules for a new account', () => {
  it.each([
    [
      'account names',
      newAccountRule,
      ['hero', 'Dragon_Rider_99', 'a'.repeat(20)],
      ['abc', 'a'.repeat(21), 'a b c', '英雄英雄', ''],
    ],
    [
      'passwords',
      newPasswordRule(8, '', ''),
      ['1234567b', '密码密码密码密码', '🐉🐲🐉🐲🐉🐲🐉🐲', 'xy'.repeat(32)],
      ['123456b', '🐉🐲🐉🐲🐉🐲🐉', `${'xy'.repeat(32)}x`],
    ],
    [
      'email addresses',
      emailRule,
      ['a@b.cc', "O'Neil+x@mail.example-1.COM"],
      ['a', 'a@b', 'a b@c.de', '名@例.com', ''],
    ],
    ['codes of 6 digits', codeRule(6), ['012345'], ['12345', '1234567', '12345a', '']],
    ['codes of 8 digits', codeRule(8), ['01234567'], ['012345', '0123456a', '']],
    ['codes of unknown length', codeRule(undefined), ['012345', '01234567'], ['']],
  ])('accept the %s that the service accepts', (_, rule, right, wrong) => {
    for (const value of right) expect(rule(value), value).toBeUndefined();
    for (const value of wrong) expect(rule(value), value).toEqual(expect.any(String));
  });
});

it.each([
  ['Aaaaaaaaa', 'password_repeats'],
  ['🐉'.repeat(8), 'password_repeats'],
  ['my Hero_Of_Sand 9', 'password_account'],
  ['sandy.hill.1999', 'password_mailbox'],
  ['a sandy hill', undefined],
])('The new password %j of hero_of_sand has the problem %s', (password, problem) => {
  expect(newPasswordRule(8, 'hero_of_sand', 'Sandy.Hill@mail.example')(password)).toBe(problem);
  expect(newPasswordRule(8, 'her', '')(`${password} here`)).toBeUndefined();
});

it('An empty e-mail field is reported as missing, not as malformed', () => {
  expect(emailRule('')).toBe('missing_email');
  expect(emailRule('a@b')).toBe('email');
});

it('A code may contain spaces or full-width digits', () => {
  for (const typed of ['741724', ' 741 724 ', '741-724', '７４１７２４'])
    expect(plainCode(typed)).toBe('741724');
});
