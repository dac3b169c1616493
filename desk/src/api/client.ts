import { session } from '../session/session';
import type { SessionAnswer } from './answers';
import { ApiError, toApiError } from './api-error';

const TIMEOUT_MS = 20_000;

export type Query = Record<string, string | number | null | undefined>;

export function get<T>(path: string, query: Query = {}): Promise<T> {
  return send<T>('GET', path + queryOf(query));
}

/** Requests that a page sends by itself do not extend the session: it must end when nobody is at the desk. */
export function getByItself<T>(path: string, query: Query = {}): Promise<T> {
  return send<T>('GET', path + queryOf(query), undefined, { 'X-Desk-No-Use': '1' });
}

/**
 * The token proves that our own page sent the request. Another tab may have started a new session with another token.
 */
export async function post<T>(path: string, body: object): Promise<T> {
  const { token, operator } = session;
  try {
    return await send<T>('POST', path, body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.error !== 'forbidden' || !operator) throw error;
    session.begin(await send<SessionAnswer>('GET', '/api/session'));
    // Never retry with another operator's rights.
    if (session.token === token || session.operator?.name !== operator.name) throw error;
    return send<T>('POST', path, body);
  }
}

async function send<T>(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<T> {
  const wasSignedIn = session.operator !== null;
  const response = await fetch(path, {
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
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && typeof answer === 'object' && answer !== null && 'data' in answer)
    return answer.data as T;
  const error = toApiError(answer);
  if (error.error === 'unauthorized' && wasSignedIn) session.end('expired');
  throw error;
}

export function queryOf(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const filled = given.filter(([, value]) => value !== '');
  if (filled.length === 0) return '';
  return `?${new URLSearchParams(filled.map(([name, value]) => [name, String(value)]))}`;
}
