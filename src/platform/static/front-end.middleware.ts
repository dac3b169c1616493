import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { toVariant, type Variant } from '../http/response/prepared-response.js';

type Encoding = 'br' | 'gzip' | 'identity';

export interface BuiltFile {
  extension: string;
  /** Contains the variants that the build compressed, smallest first, and then the plain file. */
  variants: ReadonlyMap<Encoding, Variant>;
}

// Hidden files and source maps are never served. Compressed variants are served only in place of the plain file.
const UNSERVED = /\/\.|\.(map|br|gz)$/;

export interface FrontEnd {
  folder: string;
  isPage(path: string): boolean;
  /** Inserts values that only the service knows into the page. */
  transformPage?(page: BuiltFile): BuiltFile;
}

export const FRONT_END = Symbol('FRONT_END');

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

@Injectable()
export class FrontEndMiddleware implements NestMiddleware {
  private readonly files: ReadonlyMap<string, BuiltFile>;
  private readonly page?: BuiltFile;

  constructor(@Inject(FRONT_END) private readonly frontEnd: FrontEnd) {
    this.files = readBuiltFiles(frontEnd.folder);
    const page = this.files.get('/index.html');
    this.page = page && (frontEnd.transformPage?.(page) ?? page);
  }

  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    if (
      this.frontEnd.isPage(withoutTrailingSlash(request.path)) &&
      this.sendPage(request, response)
    )
      return;
    const file = this.files.get(request.path);
    if (file && request.path !== '/index.html') return sendFile(request, response, file);
    next();
  };

  /** Returns false if the front end was not built. */
  sendPage(request: Request, response: Response): boolean {
    if (!this.page) return false;
    response.set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': PAGE_POLICY });
    send(request, response, this.page);
    return true;
  }
}

function sendFile(request: Request, response: Response, file: BuiltFile): void {
  // File names under /assets contain a hash, so these files can be cached forever.
  const isHashed = request.path.startsWith('/assets/');
  response.set('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  send(request, response, file);
}

function send(request: Request, response: Response, { extension, variants }: BuiltFile): void {
  const encoding = [...variants.keys()].find((own) => request.acceptsEncodings(own)) ?? 'identity';
  const { bytes, etag } = variants.get(encoding)!;
  if (encoding !== 'identity') response.set('Content-Encoding', encoding);
  response.type(extension).set({ ETag: etag, Vary: 'Accept-Encoding' }).send(bytes);
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}

/** Reads a build into memory, by served path. The result is empty if there is no build. */
function readBuiltFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file] as const)
    .filter(([path]) => !UNSERVED.test(path));
  return new Map(files.map(([path, file]) => [path, readBuiltFile(file)]));
}

/** Adds the front end's address, for link previews, and the sandbox's address to the page. */
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
