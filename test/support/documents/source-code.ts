import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface SourceFile {
  /** The path is relative to the project folder, such as `src/platform/auth/auth.module.ts`. */
  path: string;
  text: string;
}

interface Import {
  file: string;
  specifier: string;
  /** The target is undefined for a package. */
  target?: string;
  isStatic: boolean;
}

/** Returns every source file of the service except its specs. */
export function readSources(): SourceFile[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

export function readDocument(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Returns the folder that import rules apply to: `features/accounts`, `sandbox`, or `src` for an entry point. */
export function folderOf(path: string): string {
  const folders = path.split('/').slice(1, -1);
  return folders.slice(0, 2).join('/') || 'src';
}

/** Returns `features`, `platform`, `operators`, `sandbox`, or `src` for an entry point. */
export function layerOf(path: string): string {
  return folderOf(path).split('/')[0]!;
}

/** Returns every import of a file, including type imports, re-exports, `import()` and `import('…').Type`. */
export function importsOf(file: SourceFile): Import[] {
  const found = imports.get(file) ?? findImports(file);
  imports.set(file, found);
  return found;
}

const imports = new WeakMap<SourceFile, Import[]>();

function findImports({ path, text }: SourceFile): Import[] {
  return ts.preProcessFile(text).importedFiles.map(({ fileName: specifier, pos }) => {
    const target = specifier.startsWith('.')
      ? posix.join(posix.dirname(path), specifier.replace(/\.js$/, '.ts'))
      : undefined;
    const isStatic = !/\bimport\($/.test(text.slice(0, pos).trimEnd());
    return { file: path, specifier, target, isStatic };
  });
}

/**
 * Returns whether a file reads the environment through `process.env`, `process['env']`, `{ env } = process` or an
 * import.
 */
export function readsEnvironment(file: SourceFile): boolean {
  // This quick check avoids parsing all files, which takes seconds.
  if (!/\benv\b/.test(file.text)) return false;
  let reads = false;
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2023, true);
  walk(tree, (node) => {
    if (ts.isPropertyAccessExpression(node))
      reads ||= isProcess(node.expression) && node.name.text === 'env';
    else if (ts.isElementAccessExpression(node)) reads ||= isProcess(node.expression);
    else if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name))
      reads ||= isProcess(node.initializer) && /\benv\b/.test(node.name.getText());
    else if (ts.isImportDeclaration(node))
      reads ||= /\benv\b.*from ['"](node:)?process['"]/s.test(node.getText());
  });
  return reads;
}

function isProcess(node: ts.Node | undefined): boolean {
  return node !== undefined && /^(globalThis\.)?process$/.test(node.getText());
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}
