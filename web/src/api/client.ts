import { session } from '../session/session';
import { ApiError, toApiError } from './api-error';
import type { Body, Data, PathWith, Query } from './contract';
import { patiently } from './patiently';

const BASE = (import.meta.env.VITE_API_URL ?? '').replace(/\/+$/, '');
// The service answers within 15 s even when its backends fail.
const TIMEOUT_MS = 20_000;

interface Options<Q> {
  query?: Q;
  path?: Record<string, number>;
  headers?: Record<string, string>;
  /** False: do not send the token, even if somebody is signed in. */
  signed?: boolean;
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

export async function getAgreement(): Promise<string> {
  const response = await ask('/api/misc/agree', {});
  if (!response.ok) throw toApiError(response, await parsed(response));
  return response.text();
}

/** Address of the forum sign-in, for a full page load. */
export function forumAddress(returnTo: string, nonce: string): string {
  return `${BASE}/api/forumauth/authorize?${new URLSearchParams({ return_to: returnTo, nonce })}`;
}

async function send<T>(
  method: string,
  path: string,
  body: unknown,
  { query, path: places = {}, headers = {}, signed = true }: Options<unknown>,
): Promise<T> {
  const token = signed ? session.token : null;
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => String(places[name]));
  const response = await ask(address + queryOf(query), {
    method,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await parsed(response);
  if (response.ok && isSuccess(answer)) return answer.data as T;
  const error = toApiError(response, answer);
  if (token && endsSession(error)) session.endBecause(error.error);
  throw error;
}

function ask(address: string, request: RequestInit): Promise<Response> {
  return fetch(BASE + address, {
    ...request,
    credentials: 'omit',
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
