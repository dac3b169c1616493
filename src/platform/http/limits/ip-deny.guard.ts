import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DenyList } from './deny-list.js';

@Injectable()
export class IpDenyGuard implements CanActivate {
  constructor(private readonly denyList: DenyList) {}

  canActivate(context: ExecutionContext): true {
    this.denyList.refuse(context.switchToHttp().getRequest<Request>().context.address);
    return true;
  }
}
