import { timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { PUBLIC } from '../../../platform/auth/auth.decorators.js';
import { csrfToken, OperatorSessions } from '../../actions/operators/operator-sessions.js';
import type { Role } from '../../actions/operators/operator.entity.js';
import { type DeskRequest, ROLES_KEY } from '../http/desk-route.decorator.js';
import { CrossSiteRequest, NotSignedIn, RoleNotAllowed } from './access.errors.js';
import { DeskCookie } from './desk-cookie.js';

const TOKEN_HEADER = 'x-desk-token';
const BY_ITSELF_HEADER = 'x-desk-no-use';

/** Admits requests whose session has one of the route's roles. Routes marked `@Public()` need no session. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly cookie: DeskCookie,
    private readonly sessions: OperatorSessions,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, places)) return true;
    const request = context.switchToHttp().getRequest<DeskRequest>();
    const secret = this.cookie.read(request);
    const session = secret && (await this.sessions.find(secret, !isBackgroundRequest(request)));
    if (!secret || !session) throw new NotSignedIn();
    request.context.operator = session.operator.name;
    if (changesState(request) && !hasToken(request, secret))
      throw new CrossSiteRequest('without the token of its session');
    const roles = this.reflector.get<Role[] | undefined>(ROLES_KEY, context.getHandler()) ?? [];
    if (!roles.includes(session.operator.role)) throw new RoleNotAllowed();
    request.desk = session;
    return true;
  }
}

/** Returns whether the page sent the request in the background, for example to refresh. These requests only read. */
function isBackgroundRequest(request: DeskRequest): boolean {
  return request.headers[BY_ITSELF_HEADER] !== undefined && !changesState(request);
}

export function changesState({ method }: DeskRequest): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function hasToken({ headers }: DeskRequest, secret: string): boolean {
  const [given, expected] = [headers[TOKEN_HEADER], csrfToken(secret)].map((token) =>
    Buffer.from(String(token)),
  );
  return given!.length === expected!.length && timingSafeEqual(given!, expected!);
}
