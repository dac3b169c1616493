import { ForumUnavailable } from '../forum-auth.errors.js';
import { boundedFetch, type TextResponse } from './bounded-fetch.js';
import { describeRefusal, hasAccessToken, isClientRefused, isSuccess } from './token-response.js';

type HeaderFields = Record<string, string>;
type Callback = (error: unknown, text?: string) => void;

interface Client {
  clientId: string;
  clientSecret: string;
}

/**
 * Makes the HTTP calls of passport-oauth2, whose own client has no time-out and no size limit, and sends the
 * client's secret in the body only. Passes on only answers that the library can use; the rest is `ForumUnavailable`.
 */
export class ForumTransport {
  /** Plain forums want the secret in the body, some OpenID providers in the header. Starts with what worked last. */
  private secretIn: 'body' | 'header' = 'body';

  constructor(private readonly client: Client) {}

  /** Replaces `OAuth2._request` and takes the same parameters. */
  readonly request = async (
    method: string,
    url: string,
    headers: HeaderFields,
    body: string,
    _accessToken: unknown,
    done: Callback,
  ): Promise<void> => {
    try {
      const isTokenRequest = method === 'POST';
      const text = isTokenRequest
        ? await this.exchangeCode(url, headers, body)
        : await this.userInfo(url, headers);
      done(null, text);
    } catch (error) {
      done(error);
    }
  };

  private async exchangeCode(url: string, headers: HeaderFields, form: string): Promise<string> {
    const send = (secretIn: typeof this.secretIn) =>
      this.call('token endpoint', url, {
        method: 'POST',
        ...(secretIn === 'body' ? { headers, body: form } : this.withBasicHeader(headers, form)),
      });
    const usual = this.secretIn;
    let answer = await send(usual);
    if (isClientRefused(answer)) {
      const other = usual === 'body' ? 'header' : 'body';
      answer = await send(other);
      if (isSuccess(answer)) this.secretIn = other;
    }
    if (hasAccessToken(answer)) return answer.text;
    throw new ForumUnavailable(`the token endpoint ${describeRefusal(answer)}`);
  }

  private withBasicHeader(
    headers: HeaderFields,
    form: string,
  ): { headers: HeaderFields; body: string } {
    const body = new URLSearchParams(form);
    body.delete('client_id');
    body.delete('client_secret');
    const pair = [this.client.clientId, this.client.clientSecret].map(encodeURIComponent).join(':');
    const Authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    return { headers: { ...headers, Authorization }, body: body.toString() };
  }

  private async userInfo(url: string, headers: HeaderFields): Promise<string> {
    const answer = await this.call('user information', url, { headers });
    if (isSuccess(answer)) return answer.text;
    throw new ForumUnavailable(`the user information answered ${answer.status}`);
  }

  private async call(
    what: string,
    url: string,
    { headers, ...request }: Omit<RequestInit, 'headers'> & { headers: HeaderFields },
  ): Promise<TextResponse> {
    try {
      return await boundedFetch(url, {
        ...request,
        headers: { ...headers, Accept: 'application/json' },
      });
    } catch (error) {
      const { message, cause } = error as Error;
      const reason = (cause as Error | undefined)?.message ?? message;
      throw new ForumUnavailable(`the ${what} failed: ${reason}`);
    }
  }
}
