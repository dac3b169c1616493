import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import OAuth2Strategy from 'passport-oauth2';
import type { ForumSettings } from '../../platform/config/environment.js';
import { CONNECT_ID_PATTERN, MAX_CONNECT_ID_LENGTH } from '../links/links.dto.js';
import type { CookieStateStore, LoginFlow } from './cookie-state-store.js';
import { ForumDenied, ForumUnavailable } from './forum-auth.errors.js';
import { ForumTransport, parseJson } from './forum-transport.js';

const NAME_FIELDS = ['username', 'preferred_username', 'nickname', 'name'];
const MAX_NAME_LENGTH = 40;

export interface ForumPerson {
  connectId: string;
  name?: string;
}

export interface ForumAuthenticateOptions {
  /** This option starts a login. It is missing when the browser returns from the forum. */
  begin?: LoginFlow;
}

/**
 * Signs in through the forum with the authorization code grant and PKCE, then reads the user information. Passport
 * keeps one strategy per name and process, so two applications in the same process share the strategy created last.
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
      // The types do not cover stores that keep a PKCE verifier.
      store: states as unknown as OAuth2Strategy.StateStore,
    });
    this._oauth2.useAuthorizationHeaderforGET(true);
    Object.assign(this._oauth2, { _request: new ForumTransport(forum).request });
  }

  /**
   * Overrides the library, which would handle an error before checking the state, and would start a new login if the
   * code is missing. This strategy lets the route decide whether a login starts, and always checks the state first.
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
    : new ForumUnavailable('the browser returned with an error or without a code');
}

/**
 * Returns the request with only the parameters that `parseCallbackQuery` accepted, because the library also reads the
 * body and treats values of any type as text.
 */
function withQuery(request: Request, query: Record<string, string>): Request {
  return Object.create(request, { query: { value: query }, body: { value: {} } }) as Request;
}

/**
 * Returns the parameters that the forum adds to the callback URL. A repeated parameter counts as missing, because two
 * parsers might pick different values.
 */
export function parseCallbackQuery({ state, code, error }: Record<string, unknown>) {
  const single = (parameter: unknown) => (typeof parameter === 'string' ? parameter : '');
  return { state: single(state), code: single(code), error: single(error) };
}

/**
 * Returns the person's forum id from the named field. The name may be a path such as `user.id`. Returns undefined if
 * the id does not identify a person. Forums give guests the id 0, and a number above 2^53 loses digits in JSON, so it
 * may match someone else's id.
 */
export function extractConnectId(userInfo: unknown, field: string): string | undefined {
  const value = ownField(userInfo, field) ?? field.split('.').reduce(ownField, userInfo);
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  if (typeof value !== 'string' || value === '0') return undefined;
  const wellFormed =
    CONNECT_ID_PATTERN.test(value) &&
    value.isWellFormed() &&
    !value.includes('\0') &&
    Array.from(value).length <= MAX_CONNECT_ID_LENGTH;
  return wellFormed ? value : undefined;
}

/** Returns the person's name at the forum. The name is only for display, because users can change it in the forum. */
export function extractName(userInfo: unknown, idField: string): string | undefined {
  const holder = idField.split('.').slice(0, -1).reduce(ownField, userInfo);
  const names = NAME_FIELDS.map((field) => ownField(holder, field));
  const name = names.find((value): value is string => typeof value === 'string' && value !== '');
  // A name with line breaks could look like part of the text of an e-mail.
  return name && Array.from(name.replaceAll(/\s+/g, ' ')).slice(0, MAX_NAME_LENGTH).join('');
}

function ownField(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name))
    return undefined;
  return (holder as Record<string, unknown>)[name];
}
