import type { NextFunction, Request, Response } from 'express';
import { clientAddress } from './address.js';
import './request-context.js';
import { resolveRequestId } from './request-id.js';

/** Gives the request its id and its client's address. */
export function requestContext(request: Request, response: Response, next: NextFunction): void {
  const requestId = resolveRequestId(request.headers);
  response.setHeader('X-Request-Id', requestId);
  const userAgent = request.headers['user-agent'];
  // Read now: a broken connection no longer knows its peer.
  request.context = { requestId, address: clientAddress(request), userAgent };
  next();
}
