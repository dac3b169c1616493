import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import ipaddr from 'ipaddr.js';
import { Environment } from '../../../platform/config/environment.js';
import { DAY_MS } from '../../../platform/config/time.js';
import { readCookie, writeCookie } from '../../../platform/http/request/cookies.js';

const NAME = 'gatehouse_desk';
const DEVICE_NAME = 'gatehouse_desk_device';
const DEVICE_DAYS = 180;

/** Returns whether only this machine can reach a listener at this address. */
export function isLoopback(host: string): boolean {
  return ipaddr.isValid(host) ? ipaddr.parse(host).range() === 'loopback' : host === 'localhost';
}

/**
 * Reads and sets two cookies. The session cookie ends with the browser session. The device cookie shows that an
 * operator has signed in with this browser before. It grants no access, but known devices have their own limit for
 * attempts.
 */
@Injectable()
export class DeskCookie {
  constructor(private readonly environment: Environment) {}

  read(request: Request): string | undefined {
    return readCookie(request, NAME, this.options(request));
  }

  set(response: Response, secret: string): void {
    writeCookie(response, NAME, secret, this.options(response.req));
  }

  clear(response: Response): void {
    writeCookie(response, NAME, null, this.options(response.req));
  }

  readDevice(request: Request): string | undefined {
    return readCookie(request, DEVICE_NAME, this.options(request));
  }

  /** Returns the id of the device, or undefined if the operator has never signed in with it. */
  findDevice(cookie: string | undefined, operator: string): string | undefined {
    const [id = '', signature = ''] = cookie?.split('.') ?? [];
    const [given, expected] = [signature, this.sign(id, operator)].map((text) => Buffer.from(text));
    const isOurs = given!.length === expected!.length && timingSafeEqual(given!, expected!);
    return isOurs ? id : undefined;
  }

  /** Sets the device cookie, which survives a sign-out. */
  setDevice(response: Response, operator: string): void {
    const id = randomBytes(12).toString('base64url');
    const maxAge = DEVICE_DAYS * DAY_MS;
    const options = { ...this.options(response.req), maxAge };
    writeCookie(response, DEVICE_NAME, `${id}.${this.sign(id, operator)}`, options);
  }

  private sign(device: string, operator: string): string {
    const mac = createHmac('sha256', this.environment.JWT_SECRET);
    return mac.update(`desk device ${device} of ${operator}`).digest('base64url');
  }

  /** Allows plain HTTP only if the desk listens on loopback, where an operator's tunnel may end. */
  private options({ secure: isTls }: Request): CookieOptions {
    const secure = isTls || !isLoopback(this.environment.DESK_HOST);
    return { httpOnly: true, sameSite: 'strict', secure, path: '/' };
  }
}
