import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Settings } from '../config/settings.js';
import { AddressList } from '../http/request/address.js';
import { type AddressSetting, ALLOWED_ADDRESSES } from './allowed-addresses.decorator.js';
import { CallerNotAllowed } from './auth.errors.js';

/** Refuses callers whose address is not in the list that `@AllowedAddresses()` names. */
@Injectable()
export class AllowedAddressesGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
  ) {}

  canActivate(context: ExecutionContext): true {
    const setting = this.reflector.getAllAndOverride<AddressSetting | undefined>(
      ALLOWED_ADDRESSES,
      [context.getHandler(), context.getClass()],
    );
    if (setting === undefined) return true;
    const { address } = context.switchToHttp().getRequest<Request>().context;
    if (!AddressList.of(this.settings.current[setting]).has(address)) throw new CallerNotAllowed();
    return true;
  }
}
