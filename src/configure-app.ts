import type { CanActivate } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, RequestHandler } from 'express';
import { GLOBAL_GUARDS } from './app.module.js';
import { RetiredEntryPointsMiddleware } from './features/legacy/retired-entry-points.middleware.js';
import { RequestEventLog } from './platform/audit/request-event-log.js';
import { Environment } from './platform/config/environment.js';
import { AppExceptionFilter } from './platform/http/errors/exception.filter.js';
import { IpDenyGuard } from './platform/http/limits/ip-deny.guard.js';
import { LoadShedding } from './platform/http/limits/load-shedding.js';
import { prioritizedRoutes, RoutePriorities } from './platform/http/limits/route-priorities.js';
import { configureServer } from './platform/http/server/configure-server.js';
import type { NativeExpressAdapter } from './platform/http/server/native-express.adapter.js';
import { StrictValidationPipe } from './platform/http/validation/strict-validation.pipe.js';
import { serveOpenApi } from './platform/openapi/openapi.js';
import { FrontEndMiddleware } from './platform/static/front-end.middleware.js';

/** Sets up the request pipeline of the service, and of its tests, in the order of these statements. */
export function configureApp(
  app: NestExpressApplication,
  mountSandbox?: (app: NestExpressApplication) => void,
): void {
  const { FRONTEND_URL, frontEndIsSameSite } = app.get(Environment);
  const loadShedding = app.get(LoadShedding);
  loadShedding.priorities = new RoutePriorities(prioritizedRoutes(app));
  (app.getHttpAdapter() as unknown as NativeExpressAdapter).admit = loadShedding.admit;
  // This timeout closes idle connections, including those of clients that do not read their responses.
  app.getHttpServer().timeout = 30_000;

  configureServer(app, unless(reachesGuards, app.get(IpDenyGuard).middleware));
  app.use(app.get(RequestEventLog).middleware);
  app.use(app.get(RetiredEntryPointsMiddleware).use);
  mountSandbox?.(app);
  app.use(app.get(FrontEndMiddleware).use);
  app.enableCors({
    origin: [new URL(FRONTEND_URL).origin],
    // A front end on another origin of the same site needs credentials for the stay-signed-in cookie.
    credentials: frontEndIsSameSite,
    exposedHeaders: ['X-Request-Id', 'Retry-After', 'Idempotency-Hit'],
    maxAge: 600,
  });
  serveOpenApi(app);

  app.useGlobalGuards(...GLOBAL_GUARDS.map((guard) => app.get<CanActivate>(guard)));
  app.useGlobalPipes(app.get(StrictValidationPipe));
  app.useGlobalFilters(app.get(AppExceptionFilter));
}

/**
 * Returns whether `IpDenyGuard` checks the request. Every plain path of the API has a route and so passes the guards,
 * but middleware handles OPTIONS requests and requests without a `Host` before the guards run.
 */
function reachesGuards({ method, path, headers }: Request): boolean {
  if (method === 'OPTIONS' || headers.host === undefined) return false;
  return /^\/api\/(?!docs(\/|$))[\w/-]+$/i.test(path);
}

function unless(isExempt: (request: Request) => boolean, handler: RequestHandler): RequestHandler {
  return (request, response, next) =>
    isExempt(request) ? next() : handler(request, response, next);
}
