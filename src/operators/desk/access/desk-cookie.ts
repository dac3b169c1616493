import { Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import ipaddr from 'ipaddr.js';
import { DAY_MS } from '../../../platform/config/calendar-day.js';
import { Environment } from '../../../platform/config/environment.js';

const NAME = 'gatehouse_desk';
const DEVICE_NAME = 'gatehouse_desk_device';
const DEVICE_DAYS = 180;

/** Whether the listener is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return ipaddr.isValid(host) ? ipaddr.parse(host).range() === 'loopback' : host === 'localhost';
}

/** The session's cookie in requests and answers. It ends with the browser; the session expires after hours. */
@Injectable()
export class DeskCookie {
  constructor(private readonly environment: Environment) {}

  read(request: Request): string | undefined {
    return parseCookie(request.headers.cookie ?? '')[NAME];
  }

  set(response: Response, secret: string): void {
    response.cookie(NAME, secret, this.options(response.req));
  }

  clear(response: Response): void {
    response.clearCookie(NAME, this.options(response.req));
  }

  readDevice(request: Request): string | undefined {
    return parseCookie(request.headers.cookie ?? '')[DEVICE_NAME];
  }

  /** It survives a sign-out. */
  setDevice(response: Response, value: string): void {
    const maxAge = DEVICE_DAYS * DAY_MS;
    response.cookie(DEVICE_NAME, value, { ...this.options(response.req), maxAge });
  }

  /** Plain HTTP is only for this machine, or the end of a tunnel. */
  private options({ secure: isTls }: Request): CookieOptions {
    const secure = isTls || !isLoopback(this.environment.DESK_HOST);
    return { httpOnly: true, sameSite: 'strict', secure, path: '/' };
  }
}
