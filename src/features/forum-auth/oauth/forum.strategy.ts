import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import OAuth2Strategy from 'passport-oauth2';
import type { ForumSettings } from '../../../platform/config/environment.js';
import { ForumDenied, ForumUnavailable } from '../forum-auth.errors.js';
import type { CookieStateStore, LoginFlow } from './cookie-state-store.js';
import { extractConnectId, extractName, type ForumPerson } from './forum-identity.js';
import { parseCallbackQuery } from './callback-parameters.js';
import { ForumTransport } from './forum-transport.js';
import { parseJson } from './token-response.js';

export interface ForumAuthenticateOptions {
  /** Set to start a login; not set when the person comes back from the forum. */
  begin?: LoginFlow;
}

/**
 * Login through the forum: the authorization code grant with PKCE, then the user information. Passport keeps one
 * strategy per name and process: two applications in one process both use the last one.
 */
export class ForumStrategy extends PassportStrategy(OAuth2Strategy, 'forum') {
  constructor(
    private readonly forum: ForumSettings,
    publicUrl: string,
    private readonly states: CookieStateStore,
  ) {
    super({
      authorizationURL: forum.authorizeUrl,
      tokenURL: forum.tokenUrl,
      clientID: forum.clientId,
      clientSecret: forum.clientSecret,
      callbackURL: `${publicUrl}/api/forumauth/callback`,
      scope: forum.scope,
      pkce: true,
      // The types do not know stores that keep a PKCE verifier.
      store: states as unknown as OAuth2Strategy.StateStore,
    });
    this._oauth2.useAuthorizationHeaderforGET(true);
    // The library implements the protocol, `ForumTransport` makes the calls.
    Object.assign(this._oauth2, { _request: new ForumTransport(forum).request });
  }

  /**
   * The library handles an error before it checks the state, and starts a new login if there is no code. Here the route
   * decides between the two, and the state is checked first.
   */
  override authenticate(request: Request, { begin }: ForumAuthenticateOptions): void {
    if (begin) return super.authenticate(withQuery(request, {}), { state: begin });
    const { state, code, error } = parseCallbackQuery(request.query);
    if (error === '' && code !== '')
      return super.authenticate(withQuery(request, { state, code }), {});
    void this.states.verify(request, state, (invalid) => this.error(invalid ?? refusal(error)));
  }

  override userProfile(accessToken: string, done: (error: unknown, profile?: unknown) => void) {
    this._oauth2.get(this.forum.userInfoUrl, accessToken, (error: unknown, text) =>
      error ? done(error) : done(null, parseJson(String(text))),
    );
  }

  validate(_accessToken: string, _refreshToken: string, userInfo: unknown): ForumPerson {
    const connectId = extractConnectId(userInfo, this.forum.idField);
    if (connectId !== undefined)
      return { connectId, name: extractName(userInfo, this.forum.idField) };
    throw new ForumUnavailable(
      `the user information has no usable ${this.forum.idField} (FORUM_ID_FIELD)`,
    );
  }
}

function refusal(error: string): Error {
  return /denied|cancel/i.test(error)
    ? new ForumDenied()
    : new ForumUnavailable('the person came back with an error, or without a code');
}

/**
 * The library reads the query, then the body, and treats any type as text. It gets only what `parseCallbackQuery`
 * accepted.
 */
function withQuery(request: Request, query: Record<string, string>): Request {
  return Object.create(request, { query: { value: query }, body: { value: {} } }) as Request;
}
