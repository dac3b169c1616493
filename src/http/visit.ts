import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type express from 'express';
import { clientAddress } from './address.js';
import { newRequestId } from './request-id.js';

/** What is known of every request: the id that its log lines and its answer bear, and who sends it. */
export interface Visit {
  requestId: string;
  address: string;
  /** Whose JWT came along, once that is known. */
  playerId?: number;
}

declare module 'express-serve-static-core' {
  interface Request {
    visit: Visit;
  }
}

const WELL_FORMED = /^[A-Za-z0-9_-]{1,64}$/;

export function openVisit(
  request: express.Request,
  response: express.Response,
  next: express.NextFunction,
): void {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && WELL_FORMED.test(given) ? given : newRequestId();
  response.setHeader('X-Request-Id', requestId);
  // Now, since a connection that was broken off no longer knows its peer.
  request.visit = { requestId, address: clientAddress(request) };
  next();
}

export const CurrentVisit = createParamDecorator(
  (_: unknown, context: ExecutionContext): Visit =>
    context.switchToHttp().getRequest<express.Request>().visit,
);
