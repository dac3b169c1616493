import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Settings } from '../../config/settings.js';
import { AddressList } from '../request/address.js';
import { IpDenied } from '../errors/http.errors.js';

@Injectable()
export class DenyListMiddleware implements NestMiddleware {
  constructor(private readonly settings: Settings) {}

  readonly use = (request: Request, _response: Response, next: NextFunction): void => {
    const denied = AddressList.of(this.settings.current.deny_ip).has(request.context.address);
    next(denied ? new IpDenied() : undefined);
  };
}
