import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { en } from '../../desk/src/i18n/en.js';
import { textsOf } from '../../ui/src/texts-of.js';

describe("The desk's texts", () => {
  it('contain every key that a page uses', () => {
    const known = new Set(textsOf(en).map(([key]) => key));
    const asked = sources().flatMap((text) =>
      [...text.matchAll(/\bt\('([\w.]+)'/g)].map(([, key]) => key!),
    );
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.filter((key) => !known.has(key))).toEqual([]);
  });

  function sources(): string[] {
    const folder = new URL('../../desk/src/', import.meta.url);
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(vue|ts)$/.test(name))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  }
});
