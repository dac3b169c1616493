import { Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import { DAY_MS } from '../../platform/config/calendar-day.js';
import { Environment } from '../../platform/config/environment.js';
import { rememberDays } from '../../platform/config/remember-days.js';
import { Settings } from '../../platform/config/settings.js';

const NAME = 'gatehouse_session';

/** The stay-signed-in cookie in requests and answers. */
@Injectable()
export class SessionCookies {
  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  /** Only a page of the front end may use the cookie: browsers also send it with requests from sibling hosts. */
  readFromFrontEnd(request: Request): string | undefined {
    if (request.headers.origin !== this.frontEnd) return undefined;
    return parseCookie(request.headers.cookie ?? '')[NAME];
  }

  isPresent(request: Request): boolean {
    return parseCookie(request.headers.cookie ?? '')[NAME] !== undefined;
  }

  set(response: Response, value: string): void {
    if (this.isForeign(response.req)) return;
    const maxAge = rememberDays(this.settings.current, this.environment) * DAY_MS;
    response.cookie(NAME, value, { ...this.options, maxAge });
  }

  clear(response: Response): void {
    if (this.isForeign(response.req)) return;
    response.clearCookie(NAME, this.options);
  }

  private get frontEnd(): string {
    return new URL(this.environment.FRONTEND_URL).origin;
  }

  /** A form on another site can submit here as a navigation: its answer must not change the cookie. */
  private isForeign({ headers: { origin } }: Request): boolean {
    return origin !== undefined && origin !== this.frontEnd;
  }

  private get options(): CookieOptions {
    const { protocol, pathname } = new URL(`${this.environment.PUBLIC_URL}/api`);
    return { httpOnly: true, sameSite: 'lax', secure: protocol === 'https:', path: pathname };
  }
}
