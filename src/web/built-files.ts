import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

type Encoding = 'br' | 'gzip' | 'identity';

export interface BuiltFile {
  type: string;
  etag: string;
  /** As it is, and as the build compressed it, smallest first. */
  bytes: Map<Encoding, Buffer>;
}

/**
 * What the build of `web/` left, by the path under which it is served; nothing where it was not built.
 * All of it fits into memory many times over, and what is not in this list cannot be asked for.
 */
export function readBuiltFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in TYPES)
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, readBuiltFile(file)]),
  );
}

/** The page with one more thing to tell its script; no longer as the build compressed it. */
export function withMeta(page: BuiltFile, name: string, content: string): BuiltFile {
  const html = String(page.bytes.get('identity'));
  const bytes = Buffer.from(
    html.replace('</head>', `<meta name="${name}" content="${content}"></head>`),
  );
  return { type: page.type, etag: etagOf(bytes), bytes: new Map([['identity', bytes]]) };
}

function readBuiltFile(file: string): BuiltFile {
  const content = readFileSync(file);
  const bytes = new Map<Encoding, Buffer>();
  if (existsSync(`${file}.br`)) bytes.set('br', readFileSync(`${file}.br`));
  if (existsSync(`${file}.gz`)) bytes.set('gzip', readFileSync(`${file}.gz`));
  bytes.set('identity', content);
  return {
    type: TYPES[extname(file)]!,
    etag: etagOf(content),
    bytes,
  };
}

function etagOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
