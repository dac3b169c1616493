import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../support/source-code.js';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const FILE_OF_THE_PROJECT = /`((?:src|web|test|docs|config|scripts|bench)\/[\w./-]+\.\w+)`/g;

const filesNamedIn = (page: string): string[] =>
  [...readDocument(page).matchAll(FILE_OF_THE_PROJECT)].map(([, path]) => path!);

describe.each(PAGES)('%s', (page) => {
  it('names only files that exist', () => {
    expect(filesNamedIn(page).filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('CONTRIBUTING.md', () => {
  it('names the files of its recipes', () => {
    expect(filesNamedIn('CONTRIBUTING.md').length).toBeGreaterThan(40);
  });
});
