import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { Environment } from '../../platform/config/environment.js';
import { rememberDays, Settings, trustDays } from '../../platform/config/settings.js';
import { DAY_MS } from '../../platform/config/time.js';
import { readCookie, writeCookie } from '../../platform/http/request/cookies.js';

export interface SessionCookie {
  playerId: number;
  id: number;
  secret: string;
  /** This is true if the signature shows that this service issued the cookie, and is missing in a new cookie. */
  isGenuine?: boolean;
}

/** Shows that the second step was completed in this browser before. The cookie is useless without the password. */
export interface TrustCookie {
  playerId: number;
  /** Identifies the session in which the player trusted the browser. */
  sid: number;
  secret: string;
}

const COOKIE_NAME = 'gatehouse_session';
const COOKIE_PATTERN = /^([1-9]\d{0,9})\.([1-9]\d{0,15})\.([\w-]{43})(?:\.([\w-]{43}))?$/;

const TRUST_PATTERN = /^([1-9]\d{0,15})\.([\w-]{43})$/;

/**
 * Creates the contents of stay-signed-in cookies. Each new secret is derived from the previous secret, a random salt
 * and a key. A client that repeats the previous secret in time therefore gets the same new secret, although only its
 * hash is stored.
 */
@Injectable()
export class CookieSecrets {
  private readonly key: Buffer;

  constructor({ JWT_SECRET }: Environment) {
    this.key = Buffer.from(hkdfSync('sha256', JWT_SECRET, '', 'gatehouse session cookie', 32));
  }

  generate(): string {
    return randomBytes(32).toString('base64url');
  }

  deriveNext(secret: string, salt: string): string {
    return createHmac('sha256', this.key).update(`${secret}.${salt}`).digest('base64url');
  }

  hash(secret: string): string {
    return createHash('sha256').update(secret).digest('base64url');
  }

  matchesHash(secret: string, stored: string | null): boolean {
    return isEqual(this.hash(secret), stored ?? '');
  }

  /** Signs the cookie, because game servers know the ids and could otherwise end a session with an invented secret. */
  serialize({ playerId, id, secret }: SessionCookie): string {
    const cookie = `${playerId}.${id}.${secret}`;
    return `${cookie}.${this.sign(cookie)}`;
  }

  parse(cookie: string | undefined): SessionCookie | undefined {
    const [, playerId, id, secret, mac] = COOKIE_PATTERN.exec(cookie ?? '') ?? [];
    if (!playerId || !id || !secret) return undefined;
    const isGenuine = isEqual(this.sign(`${playerId}.${id}.${secret}`), mac ?? '');
    return { playerId: Number(playerId), id: Number(id), secret, isGenuine };
  }

  private sign(cookie: string): string {
    return createHmac('sha256', this.key).update(`cookie ${cookie}`).digest('base64url');
  }
}

function isEqual(one: string, other: string): boolean {
  const [given, expected] = [Buffer.from(one), Buffer.from(other)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

@Injectable()
export class SessionCookies {
  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  /** Ignores the cookie in requests from other origins, because browsers also send it from sibling hosts. */
  readFromFrontEnd(request: Request): string | undefined {
    if (request.headers.origin !== this.frontEnd) return undefined;
    return readCookie(request, COOKIE_NAME, this.options);
  }

  isPresent(request: Request): boolean {
    return readCookie(request, COOKIE_NAME, this.options) !== undefined;
  }

  set(response: Response, value: string): void {
    if (this.isForeign(response.req)) return;
    const maxAge = rememberDays(this.settings.current, this.environment) * DAY_MS;
    writeCookie(response, COOKIE_NAME, value, { ...this.options, maxAge });
  }

  clear(response: Response): void {
    if (this.isForeign(response.req)) return;
    writeCookie(response, COOKIE_NAME, null, this.options);
  }

  /** Each account has a cookie of its own, because a browser may be used for several accounts. */
  readTrust(request: Request, playerId: number): TrustCookie | undefined {
    if (request.headers.origin !== this.frontEnd) return undefined;
    const value = readCookie(request, trustName(playerId), this.trustOptions);
    const [, sid, secret] = TRUST_PATTERN.exec(value ?? '') ?? [];
    return sid && secret ? { playerId, sid: Number(sid), secret } : undefined;
  }

  setTrust(response: Response, { playerId, sid, secret }: TrustCookie): void {
    if (this.isForeign(response.req)) return;
    const maxAge = trustDays(this.settings.current, this.environment) * DAY_MS;
    const options = { ...this.trustOptions, maxAge };
    writeCookie(response, trustName(playerId), `${sid}.${secret}`, options);
  }

  private get frontEnd(): string {
    return new URL(this.environment.FRONTEND_URL).origin;
  }

  /** Recognises requests from forms on other sites, which must not change the cookie. */
  private isForeign({ headers: { origin } }: Request): boolean {
    return origin !== undefined && origin !== this.frontEnd;
  }

  private get options(): CookieOptions {
    const { protocol, pathname } = new URL(`${this.environment.PUBLIC_URL}/api`);
    return { httpOnly: true, sameSite: 'lax', secure: protocol === 'https:', path: pathname };
  }

  private get trustOptions(): CookieOptions {
    return { ...this.options, path: `${this.options.path}/login` };
  }
}

function trustName(playerId: number): string {
  return `gatehouse_trust_${playerId}`;
}
