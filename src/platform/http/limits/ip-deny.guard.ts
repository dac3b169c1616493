import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Settings } from '../../config/settings.js';
import { IpDenied } from '../errors/http.errors.js';
import { AddressList } from '../request/address.js';

/**
 * Rejects the addresses in `deny_ip` and in the added lists. It is also a middleware, for requests that get a response
 * before guards run.
 */
@Injectable()
export class IpDenyGuard implements CanActivate {
  private readonly lists: Array<(address: string) => boolean> = [];

  constructor(private readonly settings: Settings) {}

  addList(has: (address: string) => boolean): void {
    this.lists.push(has);
  }

  canActivate(context: ExecutionContext): true {
    this.refuse(context.switchToHttp().getRequest<Request>().context.address);
    return true;
  }

  refuse(address: string): void {
    if (AddressList.of(this.settings.current.deny_ip).has(address)) throw new IpDenied();
    if (this.lists.some((has) => has(address))) throw new IpDenied();
  }

  readonly middleware = (request: Request, _response: Response, next: NextFunction): void => {
    this.refuse(request.context.address);
    next();
  };
}
