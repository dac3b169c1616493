import { Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import OAuth2Strategy from 'passport-oauth2';
import { OauthStateInvalid } from '../forum-auth.errors.js';
import type { LoginFlow } from './cookie-state-store.js';
import type { ForumPerson } from './forum-identity.js';

/** A login that the forum has confirmed. */
export type ForumLogin = LoginFlow & ForumPerson;

export type ForumCallbackRequest = Request & { user: ForumLogin };

/** Finishes a login: `request.user` is then a `ForumLogin`. */
@Injectable()
export class ForumCallbackGuard extends AuthGuard('forum') {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- AuthGuard declares it like this
  override handleRequest<User = ForumLogin>(
    error: unknown,
    person: ForumPerson | false,
    info: { state: LoginFlow } | undefined,
  ): User {
    // The library wraps the transport's error.
    if (error) throw error instanceof OAuth2Strategy.InternalOAuthError ? error.oauthError : error;
    if (!person || !info) throw new OauthStateInvalid();
    return { ...person, ...info.state } as User;
  }
}
