import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { InvalidRequest, UnsupportedMediaType } from '../errors/http.errors.js';
import { BODY_LIMIT, BODY_OR_QUERY, IGNORES_BODY } from './body.decorator.js';
import { readRawBody } from './raw-body.js';

const DEFAULT_LIMIT = 64 * 1024;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads and parses the body. The last guard instead of Express middleware, so that the rate limit, the JWT and the
 * caller are checked before a byte of the body is read.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const { method } = context.switchToHttp().getRequest<Request>();
    if (method === 'GET' || method === 'HEAD') return true;
    if (this.reflector.get<boolean | undefined>(IGNORES_BODY, context.getHandler())) return true;
    return this.read(context);
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
    return this.reflector.get<boolean | undefined>(BODY_OR_QUERY, context.getHandler())
      ? query
      : {};
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
