import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidRequest } from '../../platform/http/errors/http.errors.js';

const WELL_FORMED = /^[A-Za-z0-9_-]{1,64}$/;

/** The client's id for this withdrawal, or null. A malformed one is refused: ignored, it would protect nothing. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const key = context.switchToHttp().getRequest<Request>().headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && WELL_FORMED.test(key)) return key;
  const message = 'must be 1 to 64 of A-Z, a-z, 0-9, _ and -';
  throw new InvalidRequest([{ field: 'Idempotency-Key', message }]);
});
