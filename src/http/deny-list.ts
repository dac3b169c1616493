import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Settings } from '../config/settings.js';
import { AddressList } from './address.js';
import { IpDenied } from './http.errors.js';

@Injectable()
export class DenyList {
  constructor(private readonly settings: Settings) {}

  readonly middleware = (request: Request, _response: Response, next: NextFunction): void => {
    const denied = AddressList.of(this.settings.current.deny_ip).has(request.visit.address);
    next(denied ? new IpDenied() : undefined);
  };
}
