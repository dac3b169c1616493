import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { raw, type Request, type Response } from 'express';
import { InvalidRequest, MethodNotAllowed, UnsupportedMediaType } from '../errors/http.errors.js';

const DEFAULT_LIMIT = 64 * 1024;
const BODY_LIMIT = 'body-limit';
const BODY_OR_QUERY = 'body-or-query';
const IGNORES_BODY = 'ignores-body';
const REFUSES_HEAD = 'refuses-head';

/** Sets the largest body of a route in bytes. The default is 64 KiB. */
export const BodyLimit = (bytes: number) => SetMetadata(BODY_LIMIT, bytes);

/** Makes a route read its fields from the query if the request has no body. */
export const BodyOrQuery = () => SetMetadata(BODY_OR_QUERY, true);

/** Marks a route whose body is never read. */
export const IgnoresBody = () => SetMetadata(IGNORES_BODY, true);

/** Rejects HEAD for a GET route that changes data, because Express would otherwise run the handler for HEAD too. */
export const RefusesHead = () => SetMetadata(REFUSES_HEAD, true);

const decoder = new TextDecoder('utf-8', { fatal: true });
const readers = new Map<number, ReturnType<typeof raw>>();

/**
 * Reads and parses the body. It is the last guard and not a middleware, so that the rate limit, the JWT and the
 * client's address are checked before the body is read.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const { method } = context.switchToHttp().getRequest<Request>();
    if (method === 'HEAD' && this.has(REFUSES_HEAD, context)) throw new MethodNotAllowed(['GET']);
    if (method === 'GET' || method === 'HEAD' || this.has(IGNORES_BODY, context)) return true;
    return this.read(context);
  }

  private has(mark: string, context: ExecutionContext): boolean {
    return this.reflector.get<boolean | undefined>(mark, context.getHandler()) ?? false;
  }

  private async read(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const bytes = await readRawBody(request, response, bodyLimitOf(this.reflector, context));
    if (bytes.length > 0 && !isUtf8Json(request)) throw new UnsupportedMediaType();
    request.body = bytes.length > 0 ? parseObject(bytes) : this.withoutBody(context, request);
    return true;
  }

  private withoutBody(context: ExecutionContext, { query }: Request): object {
    return this.has(BODY_OR_QUERY, context) ? query : {};
  }
}

export function bodyLimitOf(reflector: Reflector, context: ExecutionContext): number {
  return reflector.get<number | undefined>(BODY_LIMIT, context.getHandler()) ?? DEFAULT_LIMIT;
}

function isUtf8Json(request: Request): boolean {
  const [type, ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='));
  return (
    type?.trim() === 'application/json' &&
    (charset === undefined || /^charset="?utf-8"?$/.test(charset))
  );
}

function parseObject(bytes: Buffer): object {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    throw new InvalidRequest(undefined, 'The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidRequest(undefined, 'The body must be a JSON object.');
  return value;
}

/** Returns the exact bytes of the body, because signatures cover them. It rejects a compressed body. */
export async function readRawBody(
  request: Request,
  response: Response,
  limit: number,
): Promise<Buffer> {
  if (!Buffer.isBuffer(request.body)) {
    let reader = readers.get(limit);
    if (!reader) readers.set(limit, (reader = raw({ limit, type: () => true, inflate: false })));
    await new Promise<void>((done, fail) => {
      reader(request, response, (error?: unknown) => (error ? fail(error) : done()));
    });
    if (!Buffer.isBuffer(request.body)) request.body = Buffer.alloc(0);
  }
  return request.body as Buffer;
}
