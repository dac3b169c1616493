import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { entityTag } from '../http/answer/entity-tag.js';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

type Encoding = 'br' | 'gzip' | 'identity';

interface Variant {
  bytes: Buffer;
  etag: string;
}

export interface BuiltFile {
  type: string;
  /** As the build compressed it, smallest first, then as it is. */
  variants: ReadonlyMap<Encoding, Variant>;
}

/** The build of `web/` by served path, held in memory. Empty when it was not built. */
export function readBuiltFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in TYPES)
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, readBuiltFile(file)]),
  );
}

/** The page with one more meta tag for its script, uncompressed. */
export function withMeta(page: BuiltFile, name: string, content: string): BuiltFile {
  const html = String(page.variants.get('identity')?.bytes);
  const meta = `<meta name="${name}" content="${content}">`;
  const bytes = Buffer.from(html.replace('</head>', `${meta}</head>`));
  return { type: page.type, variants: new Map([['identity', toVariant(bytes)]]) };
}

function readBuiltFile(file: string): BuiltFile {
  const variants = new Map<Encoding, Variant>();
  for (const [encoding, path] of [
    ['br', `${file}.br`],
    ['gzip', `${file}.gz`],
    ['identity', file],
  ] as const)
    if (existsSync(path)) variants.set(encoding, toVariant(readFileSync(path)));
  return { type: TYPES[extname(file)]!, variants };
}

function toVariant(bytes: Buffer): Variant {
  return { bytes, etag: entityTag(bytes) };
}
