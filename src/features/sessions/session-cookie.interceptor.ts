import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { catchError, map, type Observable } from 'rxjs';
import { ResponseWithCookie } from './response-with-cookie.js';
import { SessionCookies } from './session-cookies.js';
import { SessionEnded } from './sessions.errors.js';

/** Sets the cookie of a `ResponseWithCookie`, and clears it when the session has ended. */
@Injectable()
export class SessionCookieInterceptor implements NestInterceptor {
  constructor(private readonly cookies: SessionCookies) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((answer: unknown) =>
        answer instanceof ResponseWithCookie ? this.unwrap(answer, response) : answer,
      ),
      catchError((error: unknown) => {
        if (error instanceof SessionEnded) this.cookies.clear(response);
        throw error;
      }),
    );
  }

  private unwrap({ view, cookie }: ResponseWithCookie<unknown>, response: Response): unknown {
    if (typeof cookie === 'string') this.cookies.set(response, cookie);
    else if (cookie === null && this.cookies.isPresent(response.req)) this.cookies.clear(response);
    return view;
  }
}
