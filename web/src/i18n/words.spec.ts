import { textsOf } from 'gatehouse-ui/texts-of';
import { describe, expect, it } from 'vitest';
import { ERROR_TABLE } from '../../../src/platform/http/errors/error-table.js';
import { en } from './en';
import { zh } from './zh';

const LANGUAGES = { en, zh };
/** Players never see the errors of the desk. */
const PLAYERS_ERRORS = Object.entries(ERROR_TABLE)
  .filter(([, [, when]]) => !when.startsWith('desk only:'))
  .map(([name]) => name);

/** The pages detect these errors by themselves. */
const OWN_ERRORS = [
  'network',
  'foreign_landing',
  'second_step_expired',
  'factor_throttled',
  'passkey_unused',
  'passkey_exists',
  'passkey_refused',
];

describe.each(Object.entries(LANGUAGES))('The texts in %s', (_, words) => {
  it('cover every service and connection error', () => {
    expect(Object.keys(words.errors).toSorted()).toEqual(
      [...PLAYERS_ERRORS, ...OWN_ERRORS].toSorted(),
    );
  });
});

describe.each(Object.entries(LANGUAGES))('The texts about codes in %s', (_, words) => {
  const texts = textsOf(words).filter(
    ([key, text]) => /code/i.test(key) || /code|验证码/i.test(text),
  );

  it('use the length and validity given by the service', () => {
    expect(words.fields.hints.code).toMatch(/\{digits\}.*\{time\}/);
    expect(words.fields.problems.code).toContain('{digits}');
  });

  it('contain no hard-coded number', () => {
    expect(texts.length).toBeGreaterThan(5);
    for (const [key, text] of texts)
      expect(text, key).not.toMatch(
        /\d|\b(two|five|six|ten|sixty|minutes?|seconds?|hours?)\b|[一二三四五六七八九十百](?:位|分|秒|小时)|分钟|秒/i,
      );
  });
});

describe('The pages', () => {
  it('add no punctuation between two texts, because Chinese punctuation differs', () => {
    // Vite reads the options when it compiles the call.
    const sources = import.meta.glob<string>('../**/*.vue', {
      query: '?raw',
      import: 'default',
      eager: true,
    });
    const pages = Object.entries(sources);
    expect(pages.length).toBeGreaterThan(50);
    for (const [page, source] of pages)
      expect(source, page).not.toMatch(/\bt\([^{}]*\)\s*\}\}[:,;]/);
  });
});
