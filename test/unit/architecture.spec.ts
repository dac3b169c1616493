import { describe, expect, it } from 'vitest';
import {
  importsOf,
  readDocument,
  readsEnvironment,
  readSources,
  folderOf,
  type SourceFile,
} from '../support/source-code.js';

const PAGE = 'docs/architecture.md';
const SANDBOX = 'sandbox';
const EVERYTHING = 'everything';

type Rules = Map<string, Set<string>>;

const sources = readSources();
const rules = readRules(readDocument(PAGE));

/** The rows of the table "The folders": the names in backticks, with the bold names above the table spelled out. */
function readRules(page: string): Rules {
  const section = /^## The folders$(.*?)^## /ms.exec(page)?.[1] ?? '';
  const shorthands = new Map(
    [...section.matchAll(/^- \*\*(\w+)\*\*: (.*)$/gm)].map(([, name, cell]) => [name!, cell!]),
  );
  const spelledOut = (cell: string): string =>
    cell.replaceAll(/\*\*(\w+)\*\*/g, (_, name: string) => {
      const meant = shorthands.get(name);
      if (meant === undefined) throw new Error(`${PAGE} does not say what **${name}** is`);
      return spelledOut(meant);
    });
  const rows = [...section.matchAll(/^\| `src(?:\/([\w-]+))?` +\|.*\| +(.*?) +\|$/gm)];
  return new Map(
    rows.map(([, folder = 'src', cell = '']) => [
      folder,
      new Set(cell === EVERYTHING ? [EVERYTHING] : namesIn(spelledOut(cell))),
    ]),
  );
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!);
}

function forbiddenImports(files: SourceFile[]): string[] {
  return files.flatMap(importsOf).flatMap(({ file, specifier, target }) => {
    if (target === undefined) return [];
    const [from, to] = [folderOf(file), folderOf(target)];
    const allowed = rules.get(from) ?? new Set();
    if (from === to || allowed.has(EVERYTHING) || allowed.has(to)) return [];
    return [
      `${file} imports ${specifier}, but src/${from} may use only: ` +
        `${[...allowed].join(', ') || 'nothing'} (${PAGE}, "The folders")`,
    ];
  });
}

function staticImportsOfTheSandbox(files: SourceFile[]): string[] {
  return files
    .flatMap(importsOf)
    .filter(({ file, target, isStatic }) => {
      return isStatic && target && folderOf(target) === SANDBOX && folderOf(file) !== SANDBOX;
    })
    .map(
      ({ file, specifier }) =>
        `${file} imports ${specifier} statically, but only import() may load the sandbox`,
    );
}

function readersOfTheEnvironment(files: SourceFile[]): string[] {
  return files
    .filter((file) => folderOf(file.path) !== 'config' && readsEnvironment(file))
    .map(({ path }) => `${path} reads process.env, but only src/config may`);
}

/** The first circle found among the folders, as `a -> b -> a`. */
function circleOfFolders(files: SourceFile[]): string | undefined {
  const uses: Rules = new Map();
  for (const { file, target } of files.flatMap(importsOf)) {
    if (target === undefined || folderOf(file) === folderOf(target)) continue;
    uses.set(folderOf(file), (uses.get(folderOf(file)) ?? new Set()).add(folderOf(target)));
  }
  const finished = new Set<string>();
  const follow = (folder: string, way: string[]): string | undefined => {
    if (way.includes(folder)) return [...way.slice(way.indexOf(folder)), folder].join(' -> ');
    if (finished.has(folder)) return undefined;
    for (const next of uses.get(folder) ?? []) {
      const circle = follow(next, [...way, folder]);
      if (circle) return circle;
    }
    finished.add(folder);
    return undefined;
  };
  return [...uses.keys()].map((folder) => follow(folder, [])).find(Boolean);
}

const file = (path: string, text: string): SourceFile => ({ path, text });

describe(`the table in ${PAGE}`, () => {
  it('has one row for every folder of src, and none for what is not there', () => {
    const folders = new Set(sources.map(({ path }) => folderOf(path)));
    expect([...rules.keys()].toSorted()).toEqual([...folders].toSorted());
  });

  it('names only folders that exist', () => {
    const named = [...rules.values()].flatMap((names) => [...names]);
    expect(named.filter((name) => name !== EVERYTHING && !rules.has(name))).toEqual([]);
  });

  it('is kept by every import', () => {
    expect(forbiddenImports(sources)).toEqual([]);
  });

  it.each([
    ["import { Zone } from '../zones/zone.entity.js';", '../zones/zone.entity.js'],
    ["import type { Zone } from '../zones/zone.entity.js';", '../zones/zone.entity.js'],
    ["export * from '../zones/zone.entity.js';", '../zones/zone.entity.js'],
    ["const late = await import('../zones/zone.entity.js');", '../zones/zone.entity.js'],
    ["let zone: import('../zones/zone.entity.js').Zone;", '../zones/zone.entity.js'],
  ])('would be broken by %s in src/database', (text, specifier) => {
    expect(forbiddenImports([file('src/database/lookup.ts', text)])).toEqual([
      expect.stringContaining(`src/database/lookup.ts imports ${specifier}, but src/database may`),
    ]);
  });
});

describe('the folders of src', () => {
  it('use each other in no circle', () => {
    expect(circleOfFolders(sources)).toBeUndefined();
    const circle = circleOfFolders([
      file('src/log/log.ts', "import '../metrics/metrics.js';"),
      file('src/metrics/metrics.ts', "import '../config/settings.js';"),
      file('src/config/settings.ts', "import '../metrics/metrics.js';"),
    ]);
    expect(circle).toBe('metrics -> config -> metrics');
  });

  it('load the sandbox only by import()', () => {
    expect(staticImportsOfTheSandbox(sources)).toEqual([]);
    const text = "import { startSandbox } from './sandbox/sandbox.js';";
    expect(staticImportsOfTheSandbox([file('src/serve.ts', text)])).toHaveLength(1);
  });

  it('leave process.env to src/config', () => {
    expect(readersOfTheEnvironment(sources)).toEqual([]);
    // The check sees the one place that does read it.
    expect(sources.filter(readsEnvironment).map(({ path }) => folderOf(path))).toContain('config');
  });

  it.each([
    'const level = process.env.LOG_LEVEL;',
    "const level = process['env'].LOG_LEVEL;",
    'const { env } = process;',
    'const level = globalThis.process.env.LOG_LEVEL;',
    "import { env } from 'node:process';",
  ])('would not get away with %s', (text) => {
    expect(readersOfTheEnvironment([file('src/log/log.ts', text)])).toEqual([
      'src/log/log.ts reads process.env, but only src/config may',
    ]);
  });
});
