import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { toVariant, type Variant } from '../http/response/prepared-response.js';

type Encoding = 'br' | 'gzip' | 'identity';

export interface BuiltFile {
  /** Such as `.js`. */
  extension: string;
  /** As the build compressed it, smallest first, then as it is. */
  variants: ReadonlyMap<Encoding, Variant>;
}

/** Hidden files and folders, source maps, and the compressed variants. */
const UNSERVED = /\/\.|\.(map|br|gz)$/;

/** A build by served path, held in memory. Empty when it was not built. */
export function readBuiltFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file] as const)
    .filter(([path]) => !UNSERVED.test(path));
  return new Map(files.map(([path, file]) => [path, readBuiltFile(file)]));
}

/** The page with values that only the service knows: its own address, for link previews, and the sandbox's. */
export function injectAddresses(page: BuiltFile, frontEnd: string, sandbox?: string): BuiltFile {
  const meta = sandbox ? `<meta name="gatehouse-sandbox" content="${sandbox}">` : '';
  const html = String(page.variants.get('identity')?.bytes)
    .replace('content="/preview.jpg"', `content="${frontEnd}/preview.jpg"`)
    .replace('</head>', `${meta}</head>`);
  const bytes = Buffer.from(html);
  const variants = new Map<Encoding, Variant>([
    ['br', toVariant(brotliCompressSync(bytes))],
    ['gzip', toVariant(gzipSync(bytes))],
    ['identity', toVariant(bytes)],
  ]);
  return { extension: page.extension, variants };
}

function readBuiltFile(file: string): BuiltFile {
  const variants = new Map<Encoding, Variant>();
  for (const [encoding, path] of [
    ['br', `${file}.br`],
    ['gzip', `${file}.gz`],
    ['identity', file],
  ] as const)
    if (existsSync(path)) variants.set(encoding, toVariant(readFileSync(path)));
  return { extension: extname(file), variants };
}
