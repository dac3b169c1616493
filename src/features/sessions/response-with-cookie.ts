/** An answer that sets or clears the stay-signed-in cookie. `SessionCookieInterceptor` unwraps it. */
export class ResponseWithCookie<View> {
  constructor(
    readonly view: View,
    /** Undefined: the browser keeps its cookie. Null: the cookie is cleared. */
    readonly cookie: string | null | undefined,
  ) {}

  /** On a route without the interceptor, failing is better than showing the secret to scripts. */
  toJSON(): never {
    throw new Error(
      'An answer with a cookie reached the reply; its route lacks SessionCookieInterceptor',
    );
  }
}

/**
 * The answer to a sign-in. Without a new cookie it clears an old one, which would later continue the session of whoever
 * was signed in before.
 */
export function signInResponse<View>(view: View, cookie?: string): ResponseWithCookie<View> {
  return new ResponseWithCookie(view, cookie ?? null);
}
