import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ErrorFilter } from '../http/exception.filter.js';
import { NotFound } from '../http/http.errors.js';
import { ForumLoginService } from './forum-login.service.js';
import { redirect } from './redirect.js';

/** A person, not a program, comes back from the forum: whatever went wrong is told by the front end. */
@Catch()
export class FrontEndLandingFilter implements ExceptionFilter {
  constructor(
    private readonly errors: ErrorFilter,
    private readonly login: ForumLoginService,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const error = this.errors.recognise(thrown, http.getRequest<Request>());
    if (error instanceof NotFound) this.errors.answer(error, response);
    else redirect(response, this.login.landing({ error: error.error }));
  }
}
