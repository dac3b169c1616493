import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
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
// What is built or installed is no part of the project.
const NOT_OURS = ['node_modules', 'dist', 'data', 'coverage', '.git'];
const FILE_OF_THE_PROJECT =
  /`((?:src|web|test|docs|config|scripts|bench|torture)\/[\w./-]+\.\w+)`/g;
/** A name or the end of a path, of a kind of file that only this project has. */
const NAME_OF_A_FILE = /`([\w-][\w./-]*\.(?:ts|vue|mjs|css|lua|hbs|md))`/g;
const LINK = /\]\(([^)\s]+)\)/g;

const files = filesBelow('.');

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.includes(name))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, match]) => match!);

const missingPaths = (text: string): string[] =>
  found(text, FILE_OF_THE_PROJECT).filter((path) => !files.includes(path));

const missingNames = (text: string): string[] =>
  found(text, NAME_OF_A_FILE).filter(
    (name) => !files.some((path) => path === name || path.endsWith(`/${name}`)),
  );

/** As GitHub makes them from the headings. */
const anchorsOf = (text: string): string[] =>
  found(text, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

function brokenLinks(page: string, text: string): string[] {
  return found(text, LINK).filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : posix.join(posix.dirname(page), path);
    if (!files.includes(target)) return true;
    if (anchor === undefined) return false;
    return !anchorsOf(target === page ? text : readDocument(target)).includes(anchor);
  });
}

describe.each(PAGES)('%s', (page) => {
  const text = readDocument(page);

  it('names only files that exist', () => {
    expect([...missingPaths(text), ...missingNames(text)]).toEqual([]);
  });

  it('links only to files and headings that exist', () => {
    expect(brokenLinks(page, text)).toEqual([]);
  });
});

describe('these checks', () => {
  it.each([
    ['`src/auth/forum.strategy.ts`', ['src/auth/forum.strategy.ts']],
    ['`src/features/forum-auth/oauth/forum.strategy.ts`', []],
  ])('look for the path %s', (text, missing) => {
    expect(missingPaths(text)).toEqual(missing);
  });

  it.each([
    ['`together.ts`', ['together.ts']],
    ['`auth/forum.strategy.ts`', ['auth/forum.strategy.ts']],
    ['`strategy.ts`', ['strategy.ts']],
    ['`forum.strategy.ts`, `oauth/forum.strategy.ts`', []],
    ['`*.e2e-spec.ts`, `<name>.dto.ts`, `src/**/*.spec.ts`, `redis.conf`', []],
  ])('look for the name %s', (text, missing) => {
    expect(missingNames(text)).toEqual(missing);
  });

  it('look for the headings of this page and of others', () => {
    const text =
      '## A `GM` operation\n[a](#a-gm-operation) [b](#b) [c](reference.md#nowhere) [d](x.md)';
    expect(brokenLinks('docs/operations.md', text)).toEqual(['#b', 'reference.md#nowhere', 'x.md']);
  });
});

describe('CONTRIBUTING.md', () => {
  const text = readDocument('CONTRIBUTING.md');

  it('names the files of its recipes', () => {
    expect(found(text, FILE_OF_THE_PROJECT).length).toBeGreaterThan(40);
  });

  it('lists every recipe at its top', () => {
    const [, recipes = ''] = /^## Recipes$(.*?)^## /ms.exec(text) ?? [];
    const headings = anchorsOf(found(recipes, /^(### .+)$/gm).join('\n'));
    const [contents = ''] = text.split('## Set up');
    expect(headings.length).toBeGreaterThan(10);
    expect(found(contents, LINK)).toEqual(
      expect.arrayContaining(headings.map((heading) => `#${heading}`)),
    );
  });
});
