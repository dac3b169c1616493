import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';

/** A success as every route answers it. */
export function success(data: unknown) {
  return { code: 0, message: 'ok', data: data ?? {} };
}

/** Wraps what a handler returns. A handler that writes to the response itself is left alone. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map(success));
  }
}
