import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppExceptionFilter } from '../http/errors/exception.filter.js';
import { NotFound } from '../http/errors/http.errors.js';
import { FlowCookies } from './flow-cookies.js';
import { ForumLoginService } from './forum-login.service.js';
import { replyOf } from './forum-reply.js';
import { redirect } from './redirect.js';

/** A person, not a program, comes back from the forum: whatever went wrong is told by the front end. */
@Catch()
export class FrontEndLandingFilter implements ExceptionFilter {
  constructor(
    private readonly errors: AppExceptionFilter,
    private readonly login: ForumLoginService,
    private readonly cookies: FlowCookies,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const error = this.errors.recognise(thrown, request);
    if (error instanceof NotFound) return this.errors.answer(error, response);
    const reply = replyOf(request.query);
    const sealed = this.cookies.find(request, reply.state);
    return redirect(response, this.login.giveUp(error.error, reply, sealed));
  }
}
