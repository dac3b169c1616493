import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';

/** A success as every route answers it. */
export function success(data: unknown) {
  return { code: 0, message: 'ok', data: data ?? {} };
}

/**
 * Wraps what a handler returns; a handler that writes to the response itself is left alone. Nothing is cached unless
 * its route says so: most answers are a player's own.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    // A route's own @Header is set by now.
    if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
    return next.handle().pipe(map(success));
  }
}
