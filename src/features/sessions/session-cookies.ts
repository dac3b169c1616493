import { Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import { Environment } from '../../platform/config/environment.js';
import { rememberDays } from '../../platform/config/remember-days.js';
import { Settings } from '../../platform/config/settings.js';

const NAME = 'gatehouse_session';
const DAY_MS = 24 * 60 * 60 * 1000;

/** The stay-signed-in cookie in requests and answers. */
@Injectable()
export class SessionCookies {
  constructor(
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  /** Only a page of the front end may use the cookie: browsers send it with requests of neighbouring hosts, too. */
  readFromFrontEnd(request: Request): string | undefined {
    const { origin, cookie } = request.headers;
    if (origin !== new URL(this.environment.FRONTEND_URL).origin) return undefined;
    return parseCookie(cookie ?? '')[NAME];
  }

  isPresent(request: Request): boolean {
    return parseCookie(request.headers.cookie ?? '')[NAME] !== undefined;
  }

  set(response: Response, value: string): void {
    const maxAge = rememberDays(this.settings.current, this.environment) * DAY_MS;
    response.cookie(NAME, value, { ...this.options, maxAge });
  }

  clear(response: Response): void {
    response.clearCookie(NAME, this.options);
  }

  private get options(): CookieOptions {
    const { protocol, pathname } = new URL(`${this.environment.PUBLIC_URL}/api`);
    return { httpOnly: true, sameSite: 'lax', secure: protocol === 'https:', path: pathname };
  }
}
