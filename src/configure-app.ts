import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AllowedAddressesGuard } from './auth/allowed-addresses.guard.js';
import { GameServerGuard } from './auth/game-server.guard.js';
import { JwtAuthGuard } from './auth/jwt-auth.guard.js';
import { Environment } from './config/environment.js';
import { BodyGuard } from './http/request/body.guard.js';
import { answerBrokenRequests, refuseWithoutHost } from './http/server/broken-requests.js';
import { DenyListMiddleware } from './http/limits/deny-list.middleware.js';
import { AppExceptionFilter } from './http/errors/exception.filter.js';
import { LoadShedding } from './http/limits/load-shedding.js';
import type { NativeExpressAdapter } from './http/server/native-express.adapter.js';
import { GracefulStop } from './http/server/graceful-stop.js';
import { hardeningHeaders } from './http/server/hardening-headers.js';
import { RateLimitGuard } from './http/limits/rate-limit.guard.js';
import { RequestLogMiddleware } from './http/request/request-log.middleware.js';
import { StrictValidationPipe } from './http/validation/strict-validation.pipe.js';
import { requestContext } from './http/request/request-context.middleware.js';
import { RetiredEntryPointsMiddleware } from './legacy/retired-entry-points.middleware.js';
import { serveOpenApi } from './openapi/openapi.js';
import { FrontEndMiddleware } from './web/front-end.middleware.js';

/** The request pipeline, in order. The service and its tests share it. */
export function configureApp(
  app: NestExpressApplication,
  mountSandbox?: (app: NestExpressApplication) => void,
): void {
  const environment = app.get(Environment);
  app.set('trust proxy', environment.TRUST_PROXY === 'none' ? false : environment.TRUST_PROXY);
  app.disable('x-powered-by');
  app.set('etag', false);
  const server: Server = app.getHttpServer();
  // Longer than nginx keeps its upstream connections, so that it never sends on one we are closing.
  server.keepAliveTimeout = 15_000;
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  // Closes a connection on which nothing moved for so long, above all one whose client does not read its answers.
  server.timeout = 30_000;
  answerBrokenRequests(server, (error) => app.get(AppExceptionFilter).count(error));
  app.get(GracefulStop).watch(server);
  (app.getHttpAdapter() as unknown as NativeExpressAdapter).admit = app.get(LoadShedding).admit;

  // First: it also tells who counts requests that a pipelined one was broken off.
  app.use(app.get(GracefulStop).middleware);
  app.use(requestContext);
  app.use(hardeningHeaders);
  app.use(app.get(DenyListMiddleware).use);
  app.use(app.get(RequestLogMiddleware).use);
  app.use(refuseWithoutHost);
  app.use(app.get(RetiredEntryPointsMiddleware).use);
  mountSandbox?.(app);
  app.use(app.get(FrontEndMiddleware).use);
  app.enableCors({
    origin: [new URL(environment.FRONTEND_URL).origin],
    // For the stay-signed-in cookie, where the front end has another origin of the same site.
    credentials: environment.frontEndIsSameSite,
    exposedHeaders: ['X-Request-Id', 'Retry-After', 'Idempotency-Hit'],
    maxAge: 600,
  });

  // Only the fallback's catch-all path stands outside the prefix; `exclude` needs it escaped.
  app.setGlobalPrefix('api', { exclude: ['/\\{\\*path\\}'] });
  app.useGlobalGuards(
    app.get(RateLimitGuard),
    app.get(JwtAuthGuard),
    app.get(AllowedAddressesGuard),
    app.get(GameServerGuard),
    app.get(BodyGuard),
  );
  app.useGlobalPipes(app.get(StrictValidationPipe));
  app.useGlobalFilters(app.get(AppExceptionFilter));
  serveOpenApi(app);
}
