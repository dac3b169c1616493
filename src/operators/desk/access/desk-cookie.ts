import { BlockList, isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';

const NAME = 'gatehouse_desk';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether only this machine reaches a listener there. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host === 'localhost';
  return LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** The session's cookie in requests and answers. It ends with the browser, and the session with its hours. */
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

  /** Plain HTTP alone is for this machine, or for the end of a tunnel. */
  private options({ secure: isTls }: Request): CookieOptions {
    const secure = isTls || !isLoopback(this.environment.DESK_HOST);
    return { httpOnly: true, sameSite: 'strict', secure, path: '/' };
  }
}
