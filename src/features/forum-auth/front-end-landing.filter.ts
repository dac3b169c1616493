import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppExceptionFilter } from '../../platform/http/errors/exception.filter.js';
import { IpDenied, NotFound } from '../../platform/http/errors/http.errors.js';
import { ForumLoginService } from './forum-login.service.js';
import { CookieStateStore } from './oauth/cookie-state-store.js';
import { parseCallbackQuery } from './oauth/callback-parameters.js';
import { redirect } from './redirect.js';

/** A person, not a program, comes back from the forum: the front end shows them any error. */
@Catch()
export class FrontEndLandingFilter implements ExceptionFilter {
  constructor(
    private readonly errors: AppExceptionFilter,
    private readonly login: ForumLoginService,
    private readonly states: CookieStateStore,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const error = this.errors.recognise(thrown, request);
    if (error instanceof NotFound || error instanceof IpDenied)
      return this.errors.answer(error, response);
    const flow = this.states.findFlow(request, parseCallbackQuery(request.query).state);
    return redirect(response, this.login.errorLandingUrl(error.error, flow));
  }
}
