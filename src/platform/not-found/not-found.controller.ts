import { All, Controller, Req, Res, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Express, Request, Response } from 'express';
import { Public } from '../auth/auth.decorators.js';
import { MethodNotAllowed, NotFound } from '../http/errors/http.errors.js';
import { IgnoresBody } from '../http/request/body.guard.js';
import { Priority } from '../http/limits/route-priorities.js';
import { FrontEndMiddleware } from '../static/front-end.middleware.js';

const ANY_PATH = '{*path}';

/** Adds a method that Express's types omit. */
type MatchingLayer = Express['router']['stack'][number] & { match(path: string): boolean };

/** Handles unknown paths as the last route, so that they pass the same guards and get errors in the same format. */
@ApiExcludeController()
@Controller()
export class NotFoundController {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly frontEnd: FrontEndMiddleware,
  ) {}

  /** Sends the front end's own 404 page to a browser. */
  @Public()
  @IgnoresBody()
  @All(ANY_PATH)
  @Priority('other')
  refuse(@Req() request: Request, @Res() response: Response): void {
    const allowed = this.methodsAt(request.path);
    if (allowed.length > 0) throw new MethodNotAllowed(allowed);
    if (!asksForPage(request) || !this.frontEnd.sendPage(request, response.status(404)))
      throw new NotFound();
    request.context.error = 'not_found';
  }

  private methodsAt(path: string): string[] {
    const { stack } = this.host.httpAdapter.getInstance<Express>().router;
    const methods = (stack as MatchingLayer[])
      .filter(({ route }) => route && !route.path.endsWith(ANY_PATH))
      .filter((layer) => layer.match(path))
      .flatMap(({ route }) => route?.stack.map(({ method }) => method.toUpperCase()) ?? []);
    if (methods.includes('GET')) methods.push('HEAD');
    return [...new Set(methods)].toSorted();
  }
}

function asksForPage({ method, path, headers }: Request): boolean {
  const isApi = /^\/api(\/|$)/i.test(path);
  const isPage = (method === 'GET' || method === 'HEAD') && !/\.\w+$/.test(path);
  return !isApi && isPage && (headers.accept ?? '').includes('text/html');
}

/** This must be the last module with routes, because the first matching route wins. */
@Module({ controllers: [NotFoundController] })
export class NotFoundModule {}
