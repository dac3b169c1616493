import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import { StrictValidationPipe } from '../../../platform/http/validation/strict-validation.pipe.js';
import { AuthorizeQuery } from '../forum-auth.dto.js';
import type { ForumAuthenticateOptions } from './forum.strategy.js';
import { safeReturnPath } from './return-path.js';

/** Starts a login and redirects to the forum: the handler behind it never runs. */
@Injectable()
export class ForumAuthorizeGuard extends AuthGuard('forum') {
  constructor(private readonly validation: StrictValidationPipe) {
    super();
  }

  override canActivate(context: ExecutionContext) {
    context.switchToHttp().getResponse<Response>().set('Cache-Control', 'no-store');
    return super.canActivate(context);
  }

  /** Guards run before pipes, so the query is validated here. */
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
