import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { Environment } from '../config/environment.js';
import { SignedValues } from './signed-values.js';

const PREFIX = 'forum_login_';
// Logins that one browser may have under way; the oldest gives way, so that its cookies never outgrow a header.
const MOST = 5;

/** Keeps each login under way in a cookie of its own, so that two tabs do not get into each other's way. */
@Injectable()
export class FlowCookies {
  constructor(
    private readonly environment: Environment,
    private readonly signedValues: SignedValues,
  ) {}

  keep(request: Request, response: Response, state: string, sealed: string): void {
    const underWay = [...cookiesOf(request).keys()].filter((name) => name.startsWith(PREFIX));
    for (const name of underWay.slice(0, Math.max(0, underWay.length - MOST + 1)))
      response.clearCookie(name, this.options);
    const maxAge = this.signedValues.lifetimeSeconds * 1000;
    response.cookie(nameFor(state), sealed, { ...this.options, maxAge });
  }

  find(request: Request, state: string): string | undefined {
    return cookiesOf(request).get(nameFor(state));
  }

  take(request: Request, response: Response, state: string): string | undefined {
    const sealed = this.find(request, state);
    if (sealed !== undefined) response.clearCookie(nameFor(state), this.options);
    return sealed;
  }

  private get options(): CookieOptions {
    const { protocol, pathname } = new URL(`${this.environment.PUBLIC_URL}/api/forumauth`);
    return { httpOnly: true, sameSite: 'lax', secure: protocol === 'https:', path: pathname };
  }
}

function nameFor(state: string): string {
  return PREFIX + state.slice(0, 16);
}

function cookiesOf(request: Request): Map<string, string> {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name.trim(), value.join('=').trim()] as const;
  });
  return new Map(pairs);
}
