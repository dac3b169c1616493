import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';

/**
 * Adds a prefix that makes browsers accept the cookie only over https and from this host. Without it, an attacker who
 * controls the network or a sibling host could set the cookie.
 */
export function cookieName(name: string, { secure, path }: CookieOptions): string {
  if (!secure) return name;
  return path === '/' ? `__Host-${name}` : `__Secure-${name}`;
}

/** Reads the cookie, also under the name without a prefix, which earlier releases used. */
export function readCookie(
  request: Request,
  name: string,
  options: CookieOptions,
): string | undefined {
  const cookies = parseCookie(request.headers.cookie ?? '');
  return cookies[cookieName(name, options)] ?? cookies[name];
}

/** Sets the cookie, or clears it if `value` is null. It also clears the cookie of earlier releases. */
export function writeCookie(
  response: Response,
  name: string,
  value: string | null,
  { maxAge, ...options }: CookieOptions,
): void {
  const current = cookieName(name, options);
  if (value === null) response.clearCookie(current, options);
  else response.cookie(current, value, { ...options, maxAge });
  const hasEarlier = parseCookie(response.req.headers.cookie ?? '')[name] !== undefined;
  if (current !== name && hasEarlier) response.clearCookie(name, options);
}
