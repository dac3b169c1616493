import { All, Controller, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Express, Request, Response } from 'express';
import { Public } from '../auth/public.decorator.js';
import { MethodNotAllowed, NotFound } from '../http/errors/http.errors.js';
import { IgnoresBody } from '../http/request/body.decorator.js';
import { Priority } from '../http/limits/priority.decorator.js';
import { FrontEndMiddleware } from '../static/front-end.middleware.js';

const ANY_PATH = '{*path}';

/** Part of Express that its types leave out. */
type MatchingLayer = Express['router']['stack'][number] & { match(path: string): boolean };

/** The last route: unknown paths pass the same guards and get the same errors. */
@ApiExcludeController()
@Controller()
export class NotFoundController {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly frontEnd: FrontEndMiddleware,
  ) {}

  /** A browser gets the front end's own 404 page. */
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
