import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Settings } from '../../config/settings.js';
import { IpDenied } from '../errors/http.errors.js';
import { AddressList } from '../request/address.js';

/** The addresses of `deny_ip`, for `IpDenyGuard` and for what is answered before guards run. */
@Injectable()
export class DenyList {
  constructor(private readonly settings: Settings) {}

  refuse(address: string): void {
    if (AddressList.of(this.settings.current.deny_ip).has(address)) throw new IpDenied();
  }

  readonly middleware = (request: Request, _response: Response, next: NextFunction): void => {
    this.refuse(request.context.address);
    next();
  };
}
