import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, RequestHandler } from 'express';
import { GameServerGuard } from './platform/auth/game-server.guard.js';
import { JwtAuthGuard } from './platform/auth/jwt-auth.guard.js';
import { RefusedRequestLog } from './platform/audit/refused-request-log.js';
import { Environment } from './platform/config/environment.js';
import { AppExceptionFilter } from './platform/http/errors/exception.filter.js';
import { IpDenyGuard } from './platform/http/limits/ip-deny.guard.js';
import { LoadShedding } from './platform/http/limits/load-shedding.js';
import { RateLimitGuard } from './platform/http/limits/rate-limit.guard.js';
import { prioritizedRoutes, RoutePriorities } from './platform/http/limits/route-priorities.js';
import { BodyGuard } from './platform/http/request/body.guard.js';
import { configureServer } from './platform/http/server/configure-server.js';
import type { NativeExpressAdapter } from './platform/http/server/native-express.adapter.js';
import { StrictValidationPipe } from './platform/http/validation/strict-validation.pipe.js';
import { RetiredEntryPointsMiddleware } from './features/legacy/retired-entry-points.middleware.js';
import { serveOpenApi } from './platform/openapi/openapi.js';
import { FrontEndMiddleware } from './platform/static/front-end.middleware.js';

/** The request pipeline, in order. The service and its tests share it. */
export function configureApp(
  app: NestExpressApplication,
  mountSandbox?: (app: NestExpressApplication) => void,
): void {
  const { FRONTEND_URL, frontEndIsSameSite } = app.get(Environment);
  const loadShedding = app.get(LoadShedding);
  loadShedding.priorities = new RoutePriorities(prioritizedRoutes(app));
  (app.getHttpAdapter() as unknown as NativeExpressAdapter).admit = loadShedding.admit;
  // Closes idle connections, above all those of clients that do not read their answers.
  app.getHttpServer().timeout = 30_000;

  configureServer(app, unless(reachesGuards, app.get(IpDenyGuard).middleware));
  app.use(app.get(RefusedRequestLog).middleware);
  app.use(app.get(RetiredEntryPointsMiddleware).use);
  mountSandbox?.(app);
  app.use(app.get(FrontEndMiddleware).use);
  app.enableCors({
    origin: [new URL(FRONTEND_URL).origin],
    // For the stay-signed-in cookie, where the front end has another origin of the same site.
    credentials: frontEndIsSameSite,
    exposedHeaders: ['X-Request-Id', 'Retry-After', 'Idempotency-Hit'],
    maxAge: 600,
  });
  serveOpenApi(app);

  app.useGlobalGuards(
    app.get(IpDenyGuard),
    app.get(RateLimitGuard),
    app.get(JwtAuthGuard),
    app.get(GameServerGuard),
    app.get(BodyGuard),
  );
  app.useGlobalPipes(app.get(StrictValidationPipe));
  app.useGlobalFilters(app.get(AppExceptionFilter));
}

/**
 * A route answers every plain path of the API, so `IpDenyGuard` checks it. OPTIONS and a missing `Host` are answered
 * before that.
 */
function reachesGuards({ method, path, headers }: Request): boolean {
  if (method === 'OPTIONS' || headers.host === undefined) return false;
  return /^\/api\/(?!docs(\/|$))[\w/-]+$/i.test(path);
}

function unless(isExempt: (request: Request) => boolean, handler: RequestHandler): RequestHandler {
  return (request, response, next) =>
    isExempt(request) ? next() : handler(request, response, next);
}
