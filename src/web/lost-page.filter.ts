import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppExceptionFilter } from '../http/errors/exception.filter.js';
import { NotFound } from '../http/errors/http.errors.js';
import { FrontEndMiddleware } from './front-end.middleware.js';

/**
 * A browser on a page that does not exist gets the front end's own 404; everything else the uniform error. Not in the
 * front end's middleware: there are endless such paths, so they count against the rate limit.
 */
@Catch(NotFound)
export class LostPageFilter implements ExceptionFilter<NotFound> {
  constructor(
    private readonly errors: AppExceptionFilter,
    private readonly frontEnd: FrontEndMiddleware,
  ) {}

  catch(error: NotFound, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    request.context.error = error.error;
    if (!isLostPerson(request) || !this.frontEnd.sendPage(request, response.status(404)))
      this.errors.answer(this.errors.recognise(error, request), response);
  }
}

function isLostPerson({ method, path, headers }: Request): boolean {
  const isApi = /^\/api(\/|$)/i.test(path);
  const isPage = (method === 'GET' || method === 'HEAD') && !/\.\w+$/.test(path);
  return !isApi && isPage && (headers.accept ?? '').includes('text/html');
}
