import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/create-program.js';
import { readDocument } from '../support/documents/source-code.js';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
// Built and installed files are not part of the project.
const NOT_OURS = ['node_modules', 'dist', 'data', 'coverage', '.git'];
const FILE_OF_THE_PROJECT =
  /`((?:src|web|test|docs|config|scripts|bench|torture)\/[\w./-]+\.\w+)`/g;
/** Matches file names and ends of paths, with extensions that the documents use only for this project's files. */
const NAME_OF_A_FILE = /`([\w-][\w./-]*\.(?:ts|vue|mjs|css|lua|hbs|md))`/g;
/**
 * Matches folders such as `src/platform/config` and `test/api/`; `operators/cli/` is short for
 * `src/operators/cli/`.
 */
const FOLDER =
  /`((?:src|test|web|desk|ui|config|scripts|docs|features|platform|operators)(?:\/[\w-]+)*)\/?`/g;
/** Matches `PascalCase`, `@Decorator(…)`, `camelCase`, `call()`, `Class.member` and `CONSTANT_NAME`. */
const IDENTIFIER =
  /`@?((?:[A-Z][a-z]|[a-z]+[A-Z]|[A-Z]+_[A-Z]|[a-z]+(?=\w*\())\w*(?:\.\w+)*)(?:\([^`]*\))?`/g;
const NPM_SCRIPT = /npm run ([\w:-]+)/g;
const SUBCOMMAND = /(?:^|`|dist\/|npm run )gatehouse(?:\.js| --)? ([a-z][\w-]*)/gm;
const LINK = /\]\(([^)\s]+)\)/g;

// This list contains other programs' names, an example, and folders that a build or an operator creates.
const FOREIGN = new Set(
  [
    'APP_GUARD forwardRef authorizationParams tokenParams AsyncResource',
    'EnvironmentFile TimeoutStopSec DATA_LENGTH INDEX_LENGTH Dragon_Slayer',
    'config/mail web/dist desk/dist',
  ].flatMap((names) => names.split(' ')),
);

const files = filesBelow('.');
const wordsOfTheCode = new Set(
  files
    .filter((path) =>
      /^(src|test|web|desk|ui|scripts|torture|bench|config)\/.*\.(ts|vue|mjs|ya?ml)$/.test(path),
    )
    // This spec contains examples that do not exist.
    .filter((path) => path !== 'test/unit/documents.spec.ts')
    .flatMap((path) => readDocument(path).match(/\w+/g) ?? []),
);
const npmScripts = ['', 'web/', 'desk/'].flatMap((folder) =>
  Object.keys(scriptsOf(`${folder}package.json`)),
);
const subcommands = ['help', ...createProgram().commands.map((command) => command.name())];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.includes(name))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}

function scriptsOf(packageFile: string): Record<string, string> {
  return (JSON.parse(readDocument(packageFile)) as { scripts: Record<string, string> }).scripts;
}

function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, match]) => match!);
}

const missingPaths = (text: string): string[] =>
  found(text, FILE_OF_THE_PROJECT).filter((path) => !files.includes(path));

const missingNames = (text: string): string[] =>
  found(text, NAME_OF_A_FILE).filter(
    (name) => !files.some((path) => path === name || path.endsWith(`/${name}`)),
  );

const missingFolders = (text: string): string[] =>
  found(text, FOLDER).filter(
    (folder) =>
      !FOREIGN.has(folder) &&
      !files.some((path) => path.startsWith(`${folder}/`) || path.startsWith(`src/${folder}/`)),
  );

const missingIdentifiers = (text: string): string[] =>
  found(text, IDENTIFIER)
    .flatMap((name) => name.split('.'))
    .filter((name) => !FOREIGN.has(name) && !wordsOfTheCode.has(name));

const missingCommands = (text: string): string[] => [
  ...found(text, NPM_SCRIPT).filter((script) => !npmScripts.includes(script)),
  ...found(text, SUBCOMMAND).filter((subcommand) => !subcommands.includes(subcommand)),
];

/** Returns the anchors that GitHub creates from the headings. */
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

  it('names only files and folders that exist', () => {
    expect([...missingPaths(text), ...missingNames(text), ...missingFolders(text)]).toEqual([]);
  });

  it('names only identifiers that exist in the code', () => {
    expect(missingIdentifiers(text)).toEqual([]);
  });

  it('names only existing npm scripts and gatehouse subcommands', () => {
    expect(missingCommands(text)).toEqual([]);
  });

  it('links only to files and headings that exist', () => {
    expect(brokenLinks(page, text)).toEqual([]);
  });
});

describe('The document checks', () => {
  it.each([
    ['`src/auth/forum.strategy.ts`', ['src/auth/forum.strategy.ts']],
    ['`src/features/forum-auth/forum.strategy.ts`', []],
  ])('find missing paths in %s', (text, missing) => {
    expect(missingPaths(text)).toEqual(missing);
  });

  it.each([
    ['`together.ts`', ['together.ts']],
    ['`auth/forum.strategy.ts`', ['auth/forum.strategy.ts']],
    ['`strategy.ts`', ['strategy.ts']],
    ['`forum.strategy.ts`, `forum-auth/forum.strategy.ts`', []],
    ['`*.e2e-spec.ts`, `<name>.dto.ts`, `src/**/*.spec.ts`, `redis.conf`', []],
  ])('find missing file names in %s', (text, missing) => {
    expect(missingNames(text)).toEqual(missing);
  });

  it.each([
    ['`src/config`, `test/shapes/`, `desk/answers`', ['src/config', 'test/shapes', 'desk/answers']],
    ['`src/platform/config`, `test/api/`, `operators/cli/`, `web/`', []],
  ])('find missing folders in %s', (text, missing) => {
    expect(missingFolders(text)).toEqual(missing);
  });

  it.each([
    ['`@PublicOrSignedIn()`, `rivalPrimary`', ['PublicOrSignedIn', 'rivalPrimary']],
    ['`MailTemplates.pursue()`, `GM_PATIENCE`', ['pursue', 'GM_PATIENCE']],
    ["`@Priority('x')`, `Counters.create()`, `startApp()`, `the words`", []],
  ])('find missing identifiers in %s', (text, missing) => {
    expect(missingIdentifiers(text)).toEqual(missing);
  });

  it.each([
    ['`npm run api-types`, `npm run generate`, `npm run …`', ['api-types']],
    ['`gatehouse zone list`, `gatehouse server list`', ['zone']],
    ['node dist/gatehouse.js moveover, `npm run gatehouse -- player`', ['moveover']],
  ])('find missing commands in %s', (text, missing) => {
    expect(missingCommands(text)).toEqual(missing);
  });

  it('find missing headings on the same page and on other pages', () => {
    const text =
      '## A `GM` operation\n[a](#a-gm-operation) [b](#b) [c](reference.md#nowhere) [d](x.md)';
    expect(brokenLinks('docs/operations.md', text)).toEqual(['#b', 'reference.md#nowhere', 'x.md']);
  });
});

describe('docs/recipes.md', () => {
  const text = readDocument('docs/recipes.md');

  it('names the files of its recipes', () => {
    expect(found(text, FILE_OF_THE_PROJECT).length).toBeGreaterThan(30);
  });

  it('lists every recipe at its top', () => {
    const headings = anchorsOf(found(text, /^(## .+)$/gm).join('\n'));
    const [contents = ''] = text.split('\n## ');
    expect(headings.length).toBeGreaterThan(10);
    expect(found(contents, LINK)).toEqual(
      expect.arrayContaining(headings.map((heading) => `#${heading}`)),
    );
  });
});
