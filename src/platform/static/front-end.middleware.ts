import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { type BuiltFile, readBuiltFiles } from './built-files.js';

/** A build, and the paths of its page. */
export interface FrontEnd {
  folder: string;
  isPage(path: string): boolean;
  /** The page with values that only the service knows. */
  transformPage?(page: BuiltFile): BuiltFile;
}

export const FRONT_END = Symbol('FRONT_END');

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Serves a built front end. Unknown paths go on to the API routes. */
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

  /** False when the front end was not built. */
  sendPage(request: Request, response: Response): boolean {
    if (!this.page) return false;
    response.set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': PAGE_POLICY });
    send(request, response, this.page);
    return true;
  }
}

function sendFile(request: Request, response: Response, file: BuiltFile): void {
  // File names under /assets contain a hash, so they can be cached for ever.
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
