import { All, Controller, Req, UseFilters } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Express, Request } from 'express';
import { Public } from '../auth/public.decorator.js';
import { IgnoresBody } from '../http/request/body.decorator.js';
import { MethodNotAllowed, NotFound } from '../http/errors/http.errors.js';
import { LostPageFilter } from '../web/lost-page.filter.js';

const ANY_PATH = '{*path}';

/** Part of Express that its types leave out. */
type MatchingLayer = Express['router']['stack'][number] & { match(path: string): boolean };

/** The last route: unknown paths pass the same guards and get the same errors. */
@ApiExcludeController()
@Controller()
@UseFilters(LostPageFilter)
export class NotFoundController {
  constructor(private readonly host: HttpAdapterHost) {}

  @Public()
  @IgnoresBody()
  @All(ANY_PATH)
  refuse(@Req() request: Request): never {
    const allowed = this.methodsAt(request.path);
    throw allowed.length > 0 ? new MethodNotAllowed(allowed) : new NotFound();
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
