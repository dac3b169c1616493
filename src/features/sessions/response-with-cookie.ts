/** An answer about the stay-signed-in cookie. `SessionCookieInterceptor` takes it apart. */
export class ResponseWithCookie<View> {
  constructor(
    readonly view: View,
    /** Undefined: the browser keeps what it has. Null: the cookie is taken away. */
    readonly cookie: string | null | undefined,
  ) {}

  /** On a route without the interceptor: rather no answer than one that shows scripts the secret. */
  toJSON(): never {
    throw new Error(
      'An answer with a cookie reached the reply; its route lacks SessionCookieInterceptor',
    );
  }
}

/**
 * The answer to a sign-in. Without a cookie of its own it takes away what an earlier one left: with that, the browser
 * would later go on as whoever was signed in before.
 */
export function signInResponse<View>(view: View, cookie?: string): ResponseWithCookie<View> {
  return new ResponseWithCookie(view, cookie ?? null);
}
