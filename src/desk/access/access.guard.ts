import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { PUBLIC } from '../../auth/public.decorator.js';
import { NotSignedIn, WrongRole } from './access.errors.js';
import type { DeskRequest } from './current-operator.decorator.js';
import { OperatorSessions } from './operator-sessions.js';
import type { Role } from './role.js';
import { MAY_CALL } from './roles.decorator.js';

/** Every route of the desk needs a session, and a role that it names; only the sign-in is marked `@Public()`. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: OperatorSessions,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, places)) return true;
    const request = context.switchToHttp().getRequest<DeskRequest>();
    const session = await this.sessions.of(request);
    if (!session) throw new NotSignedIn();
    const roles = this.reflector.get<Role[] | undefined>(MAY_CALL, context.getHandler()) ?? [];
    if (!roles.includes(session.operator.role)) throw new WrongRole();
    request.desk = session;
    return true;
  }
}
