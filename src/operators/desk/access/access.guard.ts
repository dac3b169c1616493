import { timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { PUBLIC } from '../../../platform/auth/public.decorator.js';
import { CrossSiteRequest, NotSignedIn, RoleNotAllowed } from './access.errors.js';
import type { DeskRequest } from './current-operator.decorator.js';
import { DeskCookie } from './desk-cookie.js';
import { csrfToken, OperatorSessions } from '../../actions/operators/operator-sessions.js';
import type { Role } from '../../actions/operators/role.js';
import { ROLES_KEY } from './roles.decorator.js';

const TOKEN_HEADER = 'x-desk-token';
const BY_ITSELF_HEADER = 'x-desk-no-use';

/** Every route of the desk needs a session, and a role that it names; only the sign-in is marked `@Public()`. */
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

/** A page marks requests that it sends without a person, such as a refresh. Only a person may change anything. */
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
