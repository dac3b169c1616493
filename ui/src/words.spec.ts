import { describe, expect, it } from 'vitest';
import * as desk from '../../desk/src/i18n/en';
import * as deskZh from '../../desk/src/i18n/zh';
import * as web from '../../web/src/i18n/en';
import * as webZh from '../../web/src/i18n/zh';
import { textsOf } from './texts-of';

describe.each([
  { site: 'web', language: 'en', words: web.en, english: web.en },
  { site: 'web', language: 'zh', words: webZh.zh, english: web.en },
  { site: 'desk', language: 'en', words: desk.en, english: desk.en },
  { site: 'desk', language: 'zh', words: deskZh.zh, english: desk.en },
])('The texts of $site in $language', ({ words, english }) => {
  it('have the same placeholders as in English', () => {
    expect(blanksOf(words)).toEqual(blanksOf(english));
  });

  it('are not empty', () => {
    for (const [key, text] of textsOf(words)) expect(text.trim(), key).not.toBe('');
  });
});

function blanksOf(words: object): [string, string[]][] {
  return textsOf(words).map(([key, text]) => [key, (text.match(/\{\w+\}/g) ?? []).toSorted()]);
}
