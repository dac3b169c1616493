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

/** Each layer may import itself and the layers that follow its arrow. */
const LAYERS: Record<string, string[]> = {
  src: ['operators', 'features', 'platform', 'sandbox'],
  operators: ['features', 'platform'],
  features: ['platform'],
  platform: [],
  // The sandbox talks to the service over HTTP, SMTP and SQL; it shares only the configuration.
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

/** The block `accounts → links, servers, …` below "Features that use each other". */
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

/** The first cycle among the folders, as `a -> b -> a`. */
function findCycle(files: SourceFile[]): string | undefined {
  const imports = new Map<string, Set<string>>();
  for (const { file, target } of files.flatMap(importsOf)) {
    if (target === undefined || folderOf(file) === folderOf(target)) continue;
    imports.set(folderOf(file), (imports.get(folderOf(file)) ?? new Set()).add(folderOf(target)));
  }
  const finished = new Set<string>();
  const follow = (folder: string, path: string[]): string | undefined => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder].join(' -> ');
    if (finished.has(folder)) return undefined;
    for (const next of imports.get(folder) ?? []) {
      const cycle = follow(next, [...path, folder]);
      if (cycle) return cycle;
    }
    finished.add(folder);
    return undefined;
  };
  return [...imports.keys()].map((folder) => follow(folder, [])).find(Boolean);
}

const file = (path: string, text: string): SourceFile => ({ path, text });

describe('The layers of src', () => {
  it('are the entry points, operators, features, platform and sandbox', () => {
    expect([...new Set(sources.map(({ path }) => layerOf(path)))].toSorted()).toEqual(
      Object.keys(LAYERS).toSorted(),
    );
  });

  it('contain the eight ordered modules', () => {
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

  it('must not import operators into a feature, or a feature that is not listed', () => {
    const feature = (text: string) => forbiddenImports([file('src/features/chat/chat.ts', text)]);
    expect(feature("import '../../operators/cli/command.js';")).toHaveLength(1);
    expect(feature("import '../withdraw/withdraw.module.js';")).toHaveLength(1);
    expect(feature("import '../../platform/log/log.js';")).toEqual([]);
  });

  it('have no cycle between folders', () => {
    expect(findCycle(sources)).toBeUndefined();
    const cycle = findCycle([
      file('src/platform/log/log.ts', "import '../metrics/metrics.js';"),
      file('src/platform/metrics/metrics.ts', "import '../config/settings.js';"),
      file('src/platform/config/settings.ts', "import '../metrics/metrics.js';"),
    ]);
    expect(cycle).toBe('platform/metrics -> platform/config -> platform/metrics');
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
    'src/features/sessions/cookie-secrets.ts',
    'src/features/verify/code-store.ts',
    'src/operators/actions/operators/operator-password.ts',
    'src/operators/desk/access/access.guard.ts',
    'src/platform/auth/game-server.guard.ts',
  ])('are compared in constant time in %s', (path) => {
    expect(sources.find((source) => source.path === path)?.text).toMatch(/\btimingSafeEqual\(/);
  });
});
