import type { NextFunction, Request, Response } from 'express';
import { clientAddress } from './address.js';
import './request-context.js';
import { newRequestId } from './request-id.js';

const WELL_FORMED = /^[A-Za-z0-9_-]{1,64}$/;

/** Gives the request its id and its client's address. A well-formed incoming `X-Request-Id` is kept. */
export function requestContext(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && WELL_FORMED.test(given) ? given : newRequestId();
  response.setHeader('X-Request-Id', requestId);
  const userAgent = request.headers['user-agent'];
  // Read now: a connection that was broken off no longer knows its peer.
  request.context = { requestId, address: clientAddress(request), userAgent };
  next();
}
