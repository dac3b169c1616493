import { Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request } from 'express';
import { SIGNED_SECONDS } from '../../../platform/auth/signed-tokens.js';
import { Environment } from '../../../platform/config/environment.js';

const PREFIX = 'forum_login_';
// Logins under way in one browser. The oldest is dropped first, so the Cookie header stays small.
const MAX_LOGINS = 5;

/** Keeps each login under way in its own cookie, so two tabs do not disturb each other. */
@Injectable()
export class FlowCookies {
  constructor(private readonly environment: Environment) {}

  set(request: Request, state: string, signed: string): void {
    const pendingNames = Object.keys(cookiesOf(request)).filter((name) => name.startsWith(PREFIX));
    for (const name of pendingNames.slice(0, Math.max(0, pendingNames.length - MAX_LOGINS + 1)))
      request.res!.clearCookie(name, this.options);
    const maxAge = SIGNED_SECONDS * 1000;
    request.res!.cookie(nameFor(state), signed, { ...this.options, maxAge });
  }

  /**
   * If two cookies have the same name, the first is used. It hardly matters: the signature must be for this very state.
   */
  find(request: Request, state: string): string | undefined {
    return cookiesOf(request)[nameFor(state)];
  }

  clear(request: Request, state: string): void {
    if (this.find(request, state) !== undefined)
      request.res!.clearCookie(nameFor(state), this.options);
  }

  private get options(): CookieOptions {
    const { protocol, pathname } = new URL(`${this.environment.PUBLIC_URL}/api/forumauth`);
    return { httpOnly: true, sameSite: 'lax', secure: protocol === 'https:', path: pathname };
  }
}

function nameFor(state: string): string {
  return PREFIX + state.slice(0, 16);
}

function cookiesOf(request: Request): Record<string, string | undefined> {
  return parseCookie(request.headers.cookie ?? '');
}
