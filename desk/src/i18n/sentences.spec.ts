import { describe, expect, it } from 'vitest';
import { toChinese } from './sentences';

/** The desk shows sentences from these sources. */
const SOURCES = import.meta.glob<string>(
  [
    '../../../src/operators/actions/{players,servers,four-eyes,withdrawals,operators}/*.ts',
    '../../../src/operators/desk/{players,servers,withdrawals,audit,chat,operators}/*.ts',
    '../../../src/operators/desk/http/pagination.dto.ts',
    '../../../src/features/servers/server-validation.ts',
    '../../../src/features/withdraw/game/withdrawal-servers.ts',
    '../../../src/platform/http/request/endpoint-problem.ts',
    '../../../src/platform/events/event-{backlog,delivery}.service.ts',
    '../../../src/platform/http/validation/field.decorator.ts',
    '!**/sign-in-obstacles.ts',
    '!**/*.spec.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
);
/** A text that follows one of these is a sentence for an operator. */
const SENTENCE =
  /(?:Refused\(|Ambiguous\(|message:|hint:|return|[?:]|=>|push\()\s*(?:'([^'\n]+ [^'\n]+)'|`([^`\n]+ [^`\n]+)`)/g;
/** Accepts texts with two words in a row, except SQL, help texts of metrics and texts that only the command prints. */
const isSentence = (text: string) =>
  /[a-z]{2,} [a-z]{2,}/.test(text) &&
  !/^(SELECT|COUNT|INSERT|AND|ver|request for|Failed calls|Events that|Age of|Deliveries of|.* in the backup|\W)|= :/.test(
    text,
  );

function sentencesIn(source: string): string[] {
  const code = source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
  const texts = [...code.matchAll(SENTENCE)].map(([, plain, template]) => plain ?? template!);
  return texts.map((text) => text.replaceAll(/\$\{[^}]*\}/g, 'x')).filter(isSentence);
}

describe('The Chinese desk texts', () => {
  it('translate every sentence that the service sends', () => {
    const all = Object.values(SOURCES).flatMap(sentencesIn);
    expect(all.length).toBeGreaterThan(50);
    expect([...new Set(all)].filter((text) => !toChinese(text, (word) => word))).toEqual([]);
  });

  it.each([
    [
      'server 3 is normal: it has to be in maintenance first',
      '区服 3 的状态是开放：需要先进入维护',
    ],
    ['server 3 is not changed: its address is empty', '区服 3 未修改：地址为空'],
    [
      'nothing changed: server 3 is normal: it has to be in maintenance first; settle these withdrawals first: 7, 8',
      '没有变化：区服 3 的状态是开放：需要先进入维护；请先认定这些提现：7, 8',
    ],
    ['the name must be 3 to 20 characters long', '账号名长度必须是 3 到 20 个字符'],
    ['something new', undefined],
  ])('translate the sentence %j as %j', (english, chinese) => {
    const words: Record<string, string> = { normal: '开放', address: '地址' };
    expect(toChinese(english, (word) => words[word] ?? word)).toBe(chinese);
  });
});
