/** An answer that gives the browser a new stay-signed-in cookie. `SessionCookieInterceptor` takes it apart. */
export class CookieAnswer<View> {
  constructor(
    readonly view: View,
    /** Undefined: the browser keeps what it has. Null: the cookie is taken away. */
    readonly cookie: string | null | undefined,
  ) {}
}
