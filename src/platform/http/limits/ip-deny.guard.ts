import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Settings } from '../../config/settings.js';
import { IpDenied } from '../errors/http.errors.js';
import { AddressList } from '../request/address.js';

/** Refuses the addresses of `deny_ip`: as a guard, and as middleware for what is answered before guards run. */
@Injectable()
export class IpDenyGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): true {
    this.refuse(context.switchToHttp().getRequest<Request>().context.address);
    return true;
  }

  refuse(address: string): void {
    if (AddressList.of(this.settings.current.deny_ip).has(address)) throw new IpDenied();
  }

  readonly middleware = (request: Request, _response: Response, next: NextFunction): void => {
    this.refuse(request.context.address);
    next();
  };
}
