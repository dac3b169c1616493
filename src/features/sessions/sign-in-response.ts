import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { catchError, map, type Observable } from 'rxjs';
import { SessionCookies, type TrustCookie } from './session-cookie.js';
import { SessionEnded } from './sessions.errors.js';

/** Combines a response with a change to the stay-signed-in cookie. `SessionCookieInterceptor` applies the change. */
export class ResponseWithCookie<View> {
  constructor(
    readonly view: View,
    /** Null clears the browser's cookie, and undefined keeps it. */
    readonly cookie: string | null | undefined,
    readonly trust?: TrustCookie,
  ) {}

  /** Throws on a route without the interceptor, because the response body must not contain the cookie's secret. */
  toJSON(): never {
    throw new Error(
      'A response body contains a cookie, because its route lacks SessionCookieInterceptor',
    );
  }
}

/** Without a new cookie, an old cookie is cleared, as it may be another player's. */
export function signInResponse<View>(
  view: View,
  { cookie, trust }: { cookie?: string; trust?: TrustCookie } = {},
): ResponseWithCookie<View> {
  return new ResponseWithCookie(view, cookie ?? null, trust);
}

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

  private unwrap(
    { view, cookie, trust }: ResponseWithCookie<unknown>,
    response: Response,
  ): unknown {
    if (trust) this.cookies.setTrust(response, trust);
    if (typeof cookie === 'string') this.cookies.set(response, cookie);
    else if (cookie === null && this.cookies.isPresent(response.req)) this.cookies.clear(response);
    return view;
  }
}
