import { Injectable } from '@nestjs/common';
import { Environment, type ForumSettings } from '../config/environment.js';
import { NotFound } from '../http/errors/http.errors.js';
import { boundedFetch, type TextAnswer } from './bounded-fetch.js';
import { ForumUnavailable } from './forum-auth.errors.js';
import { connectIdOf } from './forum-identity.js';

/** Plain forums want the client's secret in the body, some OpenID providers in a header; what worked last is tried first. */
type SecretPlace = 'body' | 'header';

/** Speaks OAuth 2.0 with the forum: the authorization code grant with PKCE, then the user information. */
@Injectable()
export class ForumClient {
  private secretIn: SecretPlace = 'body';

  constructor(private readonly environment: Environment) {}

  authorizeUrl(state: string, challenge: string): string {
    const url = new URL(this.forum.authorizeUrl);
    const { clientId, scope } = this.forum;
    url.searchParams.set('response_type', 'code');
    url.searchParams.set('client_id', clientId);
    url.searchParams.set('redirect_uri', this.redirectUri);
    if (scope !== undefined) url.searchParams.set('scope', scope);
    url.searchParams.set('state', state);
    url.searchParams.set('code_challenge', challenge);
    url.searchParams.set('code_challenge_method', 'S256');
    return url.href;
  }

  /** The forum's own identifier of the person who brought the code. */
  async identify(code: string, verifier: string): Promise<string> {
    const userInfo = await this.userInfo(await this.accessToken(code, verifier));
    const connectId = connectIdOf(userInfo, this.forum.idField);
    if (connectId === undefined)
      throw new ForumUnavailable(
        `the user information has no usable ${this.forum.idField} (FORUM_ID_FIELD)`,
      );
    return connectId;
  }

  private async accessToken(code: string, verifier: string): Promise<string> {
    const usual = this.secretIn;
    let answer = await this.exchange(code, verifier, usual);
    if (isAuthenticationRefused(answer)) {
      const other = usual === 'body' ? 'header' : 'body';
      answer = await this.exchange(code, verifier, other);
      if (isSuccess(answer)) this.secretIn = other;
    }
    const token = parseTokenAnswer(answer.text).access_token;
    if (isSuccess(answer) && typeof token === 'string' && token !== '') return token;
    throw new ForumUnavailable(
      `the token endpoint answered ${answer.status}${errorNameIn(answer)}`,
    );
  }

  private exchange(code: string, verifier: string, secretIn: SecretPlace): Promise<TextAnswer> {
    const { tokenUrl, clientId, clientSecret } = this.forum;
    const inHeader = secretIn === 'header';
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirectUri,
      code_verifier: verifier,
      ...(!inHeader && { client_id: clientId, client_secret: clientSecret }),
    });
    const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
    const basic = `Basic ${Buffer.from(pair).toString('base64')}`;
    const headers = { Accept: 'application/json', ...(inHeader && { Authorization: basic }) };
    return this.call('token endpoint', tokenUrl, { method: 'POST', headers, body });
  }

  private async userInfo(accessToken: string): Promise<unknown> {
    const headers = { Accept: 'application/json', Authorization: `Bearer ${accessToken}` };
    const answer = await this.call('user information', this.forum.userInfoUrl, { headers });
    if (!isSuccess(answer))
      throw new ForumUnavailable(`the user information answered ${answer.status}`);
    return parseJson(answer.text);
  }

  private async call(what: string, url: string, request: RequestInit): Promise<TextAnswer> {
    try {
      return await boundedFetch(url, request);
    } catch (error) {
      const { message, cause } = error as Error;
      const reason = (cause as Error | undefined)?.message ?? message;
      throw new ForumUnavailable(`the ${what} failed: ${reason}`);
    }
  }

  private get forum(): ForumSettings {
    if (!this.environment.forum) throw new NotFound();
    return this.environment.forum;
  }

  private get redirectUri(): string {
    return `${this.environment.PUBLIC_URL}/api/forumauth/callback`;
  }
}

function isSuccess({ status }: TextAnswer): boolean {
  return status >= 200 && status < 300;
}

/** The forum turns the client away before it looks at the code, which is therefore still good. */
function isAuthenticationRefused(answer: TextAnswer): boolean {
  return answer.status === 401 || parseTokenAnswer(answer.text).error === 'invalid_client';
}

/** JSON, as the standard has it, or a form, as some older forums answer. */
function parseTokenAnswer(text: string): Record<string, unknown> {
  const json = parseJson(text);
  if (json === undefined) return Object.fromEntries(new URLSearchParams(text));
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Only a well-formed error name may reach the log: the rest of the answer could hold anything. */
function errorNameIn({ text }: TextAnswer): string {
  const { error } = parseTokenAnswer(text);
  return typeof error === 'string' && /^[a-z_]{1,64}$/.test(error) ? ` (${error})` : '';
}
