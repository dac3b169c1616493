import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

interface RequestContext {
  requestId: string;
  playerId?: number;
}

const storage = new AsyncLocalStorage<RequestContext>();
const WELL_FORMED = /^[A-Za-z0-9_-]{1,64}$/;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Present while a request is being served, so that every log line can bear its id. */
export function requestContext(): RequestContext | undefined {
  return storage.getStore();
}

export function openRequestContext(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && WELL_FORMED.test(given) ? given : newRequestId();
  response.setHeader('X-Request-Id', requestId);
  storage.run({ requestId }, next);
}

/** A ULID: sorts by time in the logs, and is unique without asking anyone. */
export function newRequestId(): string {
  let time = Date.now();
  let id = '';
  for (let place = 0; place < 10; place++) {
    id = CROCKFORD[time % 32] + id;
    time = Math.floor(time / 32);
  }
  for (const byte of randomBytes(16)) id += CROCKFORD[byte & 31];
  return id;
}
