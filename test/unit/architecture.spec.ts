import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  folderOf,
  importsOf,
  layerOf,
  readDocument,
  readsEnvironment,
  readSources,
  type SourceFile,
} from '../support/documents/source-code.js';

const PAGE = 'docs/architecture.md';

/** Each layer may import itself and the layers listed for it. */
const LAYERS: Record<string, string[]> = {
  src: ['operators', 'features', 'platform', 'sandbox'],
  operators: ['features', 'platform'],
  features: ['platform'],
  platform: [],
  // The sandbox uses the service over HTTP, SMTP and SQL, and shares only the configuration.
  sandbox: ['platform/config'],
};
const ORDERED = [
  'accounts',
  'verify',
  'servers',
  'game',
  'withdraw',
  'chat',
  'forum-auth',
  'legacy',
];

const sources = readSources();
const featureImports = readFeatureImports(readDocument(PAGE));

/** Reads the block `accounts → links, servers, …` below "Features that use each other". */
function readFeatureImports(page: string): Map<string, Set<string>> {
  const block = /^### Features that use each other$.*?```\n(.*?)```/ms.exec(page)?.[1] ?? '';
  return new Map(
    [...block.matchAll(/^([\w-]+) +→ +(.+)$/gm)].map(([, from, to]) => [
      `features/${from}`,
      new Set(to!.split(', ').map((name) => `features/${name}`)),
    ]),
  );
}

function isAllowed(from: string, to: string): boolean {
  const [layer, other] = [layerOf(from), layerOf(to)];
  if (folderOf(from) === folderOf(to)) return true;
  if (layer === 'features' && other === 'features')
    return featureImports.get(folderOf(from))?.has(folderOf(to)) ?? false;
  const reach = LAYERS[layer] ?? [];
  return layer === other || reach.includes(other) || reach.includes(folderOf(to));
}

function forbiddenImports(files: SourceFile[]): string[] {
  return files
    .flatMap(importsOf)
    .filter(({ file, target }) => target !== undefined && !isAllowed(file, target))
    .map(({ file, specifier }) => `${file} must not import ${specifier} (${PAGE}, "Layers")`);
}

function staticImportsOfTheSandbox(files: SourceFile[]): string[] {
  return files
    .flatMap(importsOf)
    .filter(({ file, target, isStatic }) => {
      return isStatic && target && layerOf(target) === 'sandbox' && layerOf(file) !== 'sandbox';
    })
    .map(({ file }) => `${file} must load the sandbox with import()`);
}

function readersOfTheEnvironment(files: SourceFile[]): string[] {
  return files
    .filter((file) => folderOf(file.path) !== 'platform/config' && readsEnvironment(file))
    .map(({ path }) => `${path} reads process.env; only src/platform/config may`);
}

/** Returns the first import cycle among the groups of files, such as `a -> b -> a`. */
function findCycle(files: SourceFile[], groupOf: (path: string) => string): string | undefined {
  const imports = new Map<string, Set<string>>();
  for (const { file, target } of files.flatMap(importsOf)) {
    if (target === undefined || groupOf(file) === groupOf(target)) continue;
    imports.set(groupOf(file), (imports.get(groupOf(file)) ?? new Set()).add(groupOf(target)));
  }
  const finished = new Set<string>();
  const follow = (group: string, path: string[]): string | undefined => {
    if (path.includes(group)) return [...path.slice(path.indexOf(group)), group].join(' -> ');
    if (finished.has(group)) return undefined;
    for (const next of imports.get(group) ?? []) {
      const cycle = follow(next, [...path, group]);
      if (cycle) return cycle;
    }
    finished.add(group);
    return undefined;
  };
  return [...imports.keys()].map((group) => follow(group, [])).find(Boolean);
}

const file = (path: string, text: string): SourceFile => ({ path, text });

describe('The layers of src', () => {
  it('are the entry points, operators, features, platform and sandbox', () => {
    expect([...new Set(sources.map(({ path }) => layerOf(path)))].toSorted()).toEqual(
      Object.keys(LAYERS).toSorted(),
    );
  });

  it('contain the eight modules that the specification requires', () => {
    const modules = sources.map(({ path }) => path).filter((path) => path.endsWith('.module.ts'));
    expect(modules).toEqual(
      expect.arrayContaining(ORDERED.map((name) => `src/features/${name}/${name}.module.ts`)),
    );
  });

  it('import only themselves and lower layers', () => {
    expect(forbiddenImports(sources)).toEqual([]);
  });

  it.each([
    ["import { GameServer } from '../../features/servers/game-server.entity.js';"],
    ["import type { GameServer } from '../../features/servers/game-server.entity.js';"],
    ["export * from '../../features/servers/game-server.entity.js';"],
    ["const late = await import('../../features/servers/game-server.entity.js');"],
    ["let server: import('../../features/servers/game-server.entity.js').GameServer;"],
  ])('must not contain %s in the platform', (text) => {
    expect(forbiddenImports([file('src/platform/database/lookup.ts', text)])).toEqual([
      expect.stringContaining('src/platform/database/lookup.ts must not import'),
    ]);
  });

  it('allow a feature to import neither operators nor a feature that is not listed', () => {
    const feature = (text: string) => forbiddenImports([file('src/features/chat/chat.ts', text)]);
    expect(feature("import '../../operators/cli/command.js';")).toHaveLength(1);
    expect(feature("import '../withdraw/withdraw.module.js';")).toHaveLength(1);
    expect(feature("import '../../platform/log/log.js';")).toEqual([]);
  });

  it.each([
    [
      'modules',
      folderOf,
      [
        file('src/platform/log/log.ts', "import '../metrics/gauges/gauge.js';"),
        file('src/platform/metrics/metrics.ts', "import '../log/log.js';"),
      ],
      'platform/log -> platform/metrics -> platform/log',
    ],
    [
      'folders, including a folder and its subfolder',
      (path: string) => posix.dirname(path),
      [
        file('src/features/chat/chat.service.ts', "import './reports/report.js';"),
        file('src/features/chat/reports/line.ts', "import type { Chat } from '../chat.errors.js';"),
      ],
      'src/features/chat -> src/features/chat/reports -> src/features/chat',
    ],
    [
      'files',
      (path: string) => path,
      [
        file('src/platform/auth/ban.ts', "import type { Banned } from './errors.js';"),
        file('src/platform/auth/errors.ts', "import { until } from './bans.js';"),
        file('src/platform/auth/bans.ts', "export * from './ban.js';"),
      ],
      'src/platform/auth/ban.ts -> src/platform/auth/errors.ts -> src/platform/auth/bans.ts -> src/platform/auth/ban.ts',
    ],
  ])('contain no import cycle between %s', (_groups, groupOf, files, cycle) => {
    expect(findCycle(files, groupOf)).toBe(cycle);
    expect(findCycle(sources, groupOf)).toBeUndefined();
  });

  it('contain at most 430 files, each of at most 400 lines', () => {
    const files = sources.filter(({ path }) => !path.includes('/migrations/'));
    expect(files.length).toBeLessThanOrEqual(430);
    const long = files.filter(({ text }) => text.trimEnd().split('\n').length > 400);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it('load the sandbox only with import()', () => {
    expect(staticImportsOfTheSandbox(sources)).toEqual([]);
    const text = "import { startSandbox } from './sandbox/sandbox.js';";
    expect(staticImportsOfTheSandbox([file('src/serve.ts', text)])).toHaveLength(1);
  });

  it('read process.env only in the configuration', () => {
    expect(readersOfTheEnvironment(sources)).toEqual([]);
    expect(sources.filter(readsEnvironment).map(({ path }) => folderOf(path))).toContain(
      'platform/config',
    );
  });

  it.each([
    'const level = process.env.LOG_LEVEL;',
    "const level = process['env'].LOG_LEVEL;",
    'const { env } = process;',
    'const level = globalThis.process.env.LOG_LEVEL;',
    "import { env } from 'node:process';",
  ])('must not contain %s outside the configuration', (text) => {
    expect(readersOfTheEnvironment([file('src/platform/log/log.ts', text)])).toHaveLength(1);
  });
});

describe(`"Features that use each other" in ${PAGE}`, () => {
  it('lists exactly the imports that exist', () => {
    const used = new Map<string, Set<string>>();
    for (const { file: from, target } of sources.flatMap(importsOf)) {
      if (!target || layerOf(from) !== 'features' || layerOf(target) !== 'features') continue;
      if (folderOf(from) === folderOf(target)) continue;
      used.set(folderOf(from), (used.get(folderOf(from)) ?? new Set()).add(folderOf(target)));
    }
    expect(featureImports).toEqual(used);
  });
});

describe('Secrets', () => {
  it.each([
    'src/features/accounts/passwords.ts',
    'src/features/sessions/session-cookie.ts',
    'src/features/verify/code-store.ts',
    'src/operators/actions/operators/operator-password.ts',
    'src/operators/desk/access/access.guard.ts',
    'src/platform/auth/callback-signature.ts',
  ])('are compared in constant time in %s', (path) => {
    expect(sources.find((source) => source.path === path)?.text).toMatch(/\btimingSafeEqual\(/);
  });
});
