import { describe, expect, it } from 'vitest';
import { printable, printableJson, terminalTable } from './terminal.js';

// The name contains an escape, a C1 control, a right-to-left override and a language tag.
const NAME = 'a\u001b[2Jb\u009b1m\u202ec\u{e0041}\u007f龙';

describe('Command output', () => {
  it('contains no control or direction characters except line breaks', () => {
    expect(printable(`one\n${NAME}`)).toBe('one\na·[2Jb·1m·c··龙');
  });

  it('keeps every character in JSON by escaping it', () => {
    const text = printableJson({ name: NAME });
    expect(text).toMatch(/^[ -~\n龙]+$/);
    expect(JSON.parse(text)).toEqual({ name: NAME });
  });

  it('aligns a table of 200 000 rows with wide and hidden characters', () => {
    const rows = Array.from({ length: 200_000 }, (_, n) => ['north', n]);
    const lines = terminalTable(['name', 'n'], [['龙门\u202e', 7], [null, null], ...rows]).split(
      '\n',
    );
    expect(lines.slice(0, 5)).toEqual([
      'name        n',
      '─────  ──────',
      '龙门·       7',
      '–           –',
      'north       0',
    ]);
    expect(lines).toHaveLength(200_004);
  });
});
