import { session } from '../session/session';
import { ApiError, toApiError } from './api-error';
import type { Body, Data, PathWith, Query } from './contract';
import { patiently } from './patiently';

const BASE = (import.meta.env.VITE_API_URL ?? '').replace(/\/+$/, '');
// The service responds within 15 s even if its backends fail.
const TIMEOUT_MS = 20_000;

interface Options<Q> {
  query?: Q;
  path?: Record<string, number>;
  headers?: Record<string, string>;
  /** False omits the token even if a player is signed in. */
  signed?: boolean;
  /** True means that the response is a file without the envelope. */
  file?: boolean;
  /** Sends and accepts the stay-signed-in cookie. */
  cookie?: boolean;
}

/** If the service has another origin, browsers block requests with cookies unless the service allows them. */
export const IS_SAME_ORIGIN = BASE === '';

let renew = (): Promise<unknown> => Promise.resolve();
let language = (): string | undefined => undefined;

/** Sets the function that gets a new token when the service rejects the current token. */
export function renewBy(way: () => Promise<unknown>): void {
  renew = way;
}

/** Sets the function that returns the language of the pages. The service sends e-mails in this language. */
export function speakIn(way: typeof language): void {
  language = way;
}

export function get<P extends PathWith<'get'>>(
  path: P,
  options: Options<Query<P, 'get'>> = {},
): Promise<Data<P, 'get'>> {
  return patiently(() => send('GET', path, undefined, options));
}

export function post<P extends PathWith<'post'>>(
  path: P,
  body: Body<P, 'post'>,
  options: Options<Query<P, 'post'>> = {},
): Promise<Data<P, 'post'>> {
  return send('POST', path, body, options);
}

export function remove<P extends PathWith<'delete'>>(
  path: P,
  options: Options<Query<P, 'delete'>> = {},
): Promise<Data<P, 'delete'>> {
  return send('DELETE', path, undefined, options);
}

export async function getAgreement(): Promise<string> {
  const response = await ask('/api/misc/agree', {});
  if (!response.ok) throw toApiError(response, await parsed(response));
  return response.text();
}

/** Downloads all data that the service stores about the player. */
export function getExport(): Promise<Blob> {
  return send('GET', '/api/account/export', undefined, { file: true });
}

/** Returns the URL of the forum sign-in, for a full page load. */
export function forumAddress(returnTo: string, nonce: string): string {
  return `${BASE}/api/forumauth/authorize?${new URLSearchParams({ return_to: returnTo, nonce })}`;
}

async function send<T>(
  method: string,
  path: string,
  body: unknown,
  options: Options<unknown>,
): Promise<T> {
  const { token, account } = session;
  if (options.signed === false || !token) return sendAs(null, method, path, body, options);
  try {
    return await sendAs(token, method, path, body, options);
  } catch (error) {
    if (!(error instanceof ApiError) || !endsSession(error)) throw error;
    if (error.error === 'unauthorized' && session.token === token) await renew();
    if (session.token === token) session.endBecause(error.error, error.ban);
    // Another account may have signed in meanwhile, and this request must not be sent in its name.
    if (!session.token || session.account !== account) throw error;
    return sendRenewed(session.token, () => sendAs(session.token, method, path, body, options));
  }
}

/** Repeats a request with a new token. If the service rejects the new token too, gives up. */
async function sendRenewed<T>(token: string, repeat: () => Promise<T>): Promise<T> {
  try {
    return await repeat();
  } catch (error) {
    const isOver = error instanceof ApiError && endsSession(error);
    if (isOver && session.token === token) session.endBecause(error.error, error.ban);
    throw error;
  }
}

async function sendAs<T>(
  token: string | null,
  method: string,
  path: string,
  body: unknown,
  { query, path: places = {}, headers = {}, cookie = false, file = false }: Options<unknown>,
): Promise<T> {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => String(places[name]));
  const spoken = language();
  const response = await ask(address + queryOf(query), {
    method,
    headers: {
      ...(spoken && { 'Accept-Language': spoken }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    // The browser completes a request with the cookie even if the page is closed, because the next cookie must
    // arrive.
    ...(cookie && { credentials: 'include', keepalive: true }),
  });
  if (response.ok && file) return (await response.blob()) as T;
  const answer = await parsed(response);
  if (response.ok && isSuccess(answer)) return answer.data as T;
  throw toApiError(response, answer);
}

function ask(address: string, request: RequestInit): Promise<Response> {
  return fetch(BASE + address, {
    credentials: 'omit',
    ...request,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new ApiError('network');
  });
}

function parsed(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}

function isSuccess(answer: unknown): answer is { data: unknown } {
  return typeof answer === 'object' && answer !== null && 'data' in answer;
}

function endsSession({ error }: ApiError): boolean {
  return error === 'unauthorized' || error === 'account_disabled';
}

function queryOf(query: unknown): string {
  const given = Object.entries(query ?? {}).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
