import { parse as parseForm } from 'node:querystring';
import type { TextResponse } from './bounded-fetch.js';

export function isSuccess({ status }: TextResponse): boolean {
  return status >= 200 && status < 300;
}

export function hasAccessToken(answer: TextResponse): boolean {
  const token = parseFields(answer).access_token;
  return isSuccess(answer) && typeof token === 'string' && token !== '';
}

/** The forum did not accept how the client authenticated. It has not looked at the code, which is still good. */
export function isClientRefused(answer: TextResponse): boolean {
  return answer.status === 401 || parseFields(answer).error === 'invalid_client';
}

/** For the log: the status, and the error's name if it is well-formed. The rest of the answer may hold anything. */
export function describeRefusal(answer: TextResponse): string {
  const { error } = parseFields(answer);
  const isName = typeof error === 'string' && /^[a-z_]{1,64}$/.test(error);
  return `answered ${answer.status}${isName ? ` (${error})` : ''}`;
}

/** JSON as in the standard, or a form as some older forums send it. Parsed as passport-oauth2 does. */
function parseFields({ text }: TextResponse): Record<string, unknown> {
  const json = parseJson(text);
  if (json === undefined) return parseForm(text);
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
}

/** Undefined for what is not JSON. The parser's own error would quote the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
