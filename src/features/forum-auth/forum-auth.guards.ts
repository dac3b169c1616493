import { type ExecutionContext, Injectable, type CanActivate } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import OAuth2Strategy from 'passport-oauth2';
import { Environment } from '../../platform/config/environment.js';
import { NotFound } from '../../platform/http/errors/http.errors.js';
import { StrictValidationPipe } from '../../platform/http/validation/strict-validation.pipe.js';
import type { LoginFlow } from './cookie-state-store.js';
import { AuthorizeQuery } from './forum-auth.dto.js';
import { OauthStateInvalid } from './forum-auth.errors.js';
import type { ForumAuthenticateOptions, ForumPerson } from './forum.strategy.js';

const MAX_PATH_LENGTH = 512;
export const HOME = '/';

// An allow list is used, because browsers and proxies interpret many notations as the address of another site. The path
// consists of plain segments, none of them empty or made of dots only. A query and a fragment may follow.
const LOCAL_PATH =
  /^(?:\/|(?:\/[\w~-][\w.~-]*)+\/?)(?:\?[\w.~!$&'()*+,;=:@%/?-]*)?(?:#[\w.~!$&'()*+,;=:@%/?-]*)?$/;

/** Returns the front end's page to return to. Anything but a plain local path is replaced by the home page. */
export function safeReturnPath(requested: unknown): string {
  return typeof requested === 'string' &&
    requested.length <= MAX_PATH_LENGTH &&
    LOCAL_PATH.test(requested)
    ? requested
    : HOME;
}

@Injectable()
export class ForumEnabledGuard implements CanActivate {
  constructor(private readonly environment: Environment) {}

  canActivate(): boolean {
    if (!this.environment.forum) throw new NotFound();
    return true;
  }
}

/** Starts a login and redirects the browser to the forum, so the route's handler never runs. */
@Injectable()
export class ForumAuthorizeGuard extends AuthGuard('forum') {
  constructor(private readonly validation: StrictValidationPipe) {
    super();
  }

  override canActivate(context: ExecutionContext) {
    context.switchToHttp().getResponse<Response>().set('Cache-Control', 'no-store');
    return super.canActivate(context);
  }

  /** Validates the query here, because guards run before pipes. */
  override async getAuthenticateOptions(
    context: ExecutionContext,
  ): Promise<ForumAuthenticateOptions> {
    const { query } = context.switchToHttp().getRequest<Request>();
    const { nonce } = (await this.validation.transform(query, {
      type: 'query',
      metatype: AuthorizeQuery,
    })) as AuthorizeQuery;
    return { begin: { returnTo: safeReturnPath(query.return_to), nonce } };
  }
}

export type ForumLogin = LoginFlow & ForumPerson;

export type ForumCallbackRequest = Request & { user: ForumLogin };

/** Finishes a login and sets `request.user` to a `ForumLogin`. */
@Injectable()
export class ForumCallbackGuard extends AuthGuard('forum') {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- AuthGuard declares it like this
  override handleRequest<User = ForumLogin>(
    error: unknown,
    person: ForumPerson | false,
    info: { state: LoginFlow } | undefined,
  ): User {
    // The library wraps errors thrown by `ForumTransport`.
    if (error) throw error instanceof OAuth2Strategy.InternalOAuthError ? error.oauthError : error;
    if (!person || !info) throw new OauthStateInvalid();
    return { ...person, ...info.state } as User;
  }
}
