import { parse as parseForm } from 'node:querystring';
import { ForumUnavailable } from './forum-auth.errors.js';

const TIMEOUT_MS = 5000;
const MAX_BYTES = 64 * 1024;

type HeaderFields = Record<string, string>;
type Callback = (error: unknown, text?: string) => void;

interface Client {
  clientId: string;
  clientSecret: string;
}

interface TextResponse {
  status: number;
  text: string;
}

/**
 * Sends the HTTP requests of passport-oauth2, because the library's own client has no timeout and no size limit, and
 * always sends the secret in the body. Throws `ForumUnavailable` for responses that the library cannot use.
 */
export class ForumTransport {
  /**
   * Plain forums expect the secret in the body, and some OpenID providers expect it in the header. Each login
   * first tries the place that worked last.
   */
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
    throw new ForumUnavailable(`the user information endpoint answered ${answer.status}`);
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

/** Sends one HTTP request, limited to 5 s and a response of 64 KiB. Redirects fail, because they could leak secrets. */
async function boundedFetch(url: string, request: RequestInit): Promise<TextResponse> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { ...request, redirect: 'error', signal });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the answer is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return { status: response.status, text: Buffer.concat(chunks).toString() };
}

function isSuccess({ status }: TextResponse): boolean {
  return status >= 200 && status < 300;
}

function hasAccessToken(answer: TextResponse): boolean {
  const token = parseFields(answer).access_token;
  return isSuccess(answer) && typeof token === 'string' && token !== '';
}

/** Returns whether the forum rejected the client's authentication. In this case the code remains valid. */
function isClientRefused(answer: TextResponse): boolean {
  return answer.status === 401 || parseFields(answer).error === 'invalid_client';
}

/** Describes a rejection for the log. The rest of the response is omitted, because its content is arbitrary. */
function describeRefusal(answer: TextResponse): string {
  const { error } = parseFields(answer);
  const isName = typeof error === 'string' && /^[a-z_]{1,64}$/.test(error);
  return `answered ${answer.status}${isName ? ` (${error})` : ''}`;
}

/** Parses JSON or, for some older forums, form data, as passport-oauth2 does. */
function parseFields({ text }: TextResponse): Record<string, unknown> {
  const json = parseJson(text);
  if (json === undefined) return parseForm(text);
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
}

/** Returns undefined if the text is not JSON, because the parser's error message would quote the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
