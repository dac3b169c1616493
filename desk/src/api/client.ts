import { session } from '../session/session';
import type { SessionAnswer } from './answers';
import { ApiError, toApiError } from './api-error';

const TIMEOUT_MS = 20_000;

export type Query = Record<string, string | number | null | undefined>;

export function get<T>(path: string, query: Query = {}): Promise<T> {
  return send<T>('GET', path + queryOf(query));
}

/**
 * Sends a background request, which does not extend the session, so that the session of an absent
 * operator ends.
 */
export function getByItself<T>(path: string, query: Query = {}): Promise<T> {
  return send<T>('GET', path + queryOf(query), undefined, { 'X-Desk-No-Use': '1' });
}

/**
 * Sends a request with the token that proves the request's origin. If another tab has started a new session, the
 * request is repeated with the new token.
 */
export async function post<T>(path: string, body: object): Promise<T> {
  const { token, operator } = session;
  try {
    return await send<T>('POST', path, body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.error !== 'forbidden' || !operator) throw error;
    session.begin(await send<SessionAnswer>('GET', '/api/session'));
    // A retry must not use another operator's rights.
    if (session.token === token || session.operator?.name !== operator.name) throw error;
    return send<T>('POST', path, body);
  }
}

/** Sends a request whose response is a file, and saves it under the given name. */
export async function download(path: string, body: object, name: string): Promise<void> {
  const response = await request('POST', path, body);
  if (!response.ok) throw errorOf(await readJson(response));
  const file = await response.blob().catch(() => {
    throw new ApiError('network');
  });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function send<T>(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<T> {
  const response = await request(method, path, body, headers);
  const answer = await readJson(response);
  if (response.ok && typeof answer === 'object' && answer !== null && 'data' in answer)
    return answer.data as T;
  throw errorOf(answer);
}

function readJson(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}

/** Returns the error of a response. If the desk has ended the session, this page ends it, too. */
function errorOf(answer: unknown): ApiError {
  const error = toApiError(answer);
  if (error.error === 'unauthorized' && session.operator !== null) session.end('expired');
  return error;
}

function request(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(path, {
    method,
    headers: {
      ...headers,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(body && session.token && { 'X-Desk-Token': session.token }),
    },
    body: body && JSON.stringify(body),
    credentials: 'same-origin',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new ApiError('network');
  });
}

export function queryOf(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const filled = given.filter(([, value]) => value !== '');
  if (filled.length === 0) return '';
  return `?${new URLSearchParams(filled.map(([name, value]) => [name, String(value)]))}`;
}
