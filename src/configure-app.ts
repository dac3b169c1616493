import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { CallerGuard } from './auth/caller.guard.js';
import { JwtGuard } from './auth/jwt.guard.js';
import { Environment } from './config/environment.js';
import { BodyGuard } from './http/body.guard.js';
import { answerBrokenRequests, refuseWithoutHost } from './http/broken-requests.js';
import { DenyList } from './http/deny-list.js';
import { ErrorFilter } from './http/exception.filter.js';
import { GracefulStop } from './http/graceful-stop.js';
import { RateLimitGuard } from './http/rate-limit.js';
import { RequestLog } from './http/request-log.js';
import { StrictValidationPipe } from './http/validation.pipe.js';
import { openVisit } from './http/visit.js';
import { RetiredEntryPoints } from './legacy/retired-entry-points.js';
import { serveOpenApi } from './openapi/openapi.js';
import { FrontEnd } from './web/front-end.js';

/** What every request meets, in the order in which it meets it. The service and its tests boot the same. */
export function configureApp(
  app: NestExpressApplication,
  mountSandbox?: (app: NestExpressApplication) => void,
): void {
  const environment = app.get(Environment);
  app.set('trust proxy', environment.TRUST_PROXY === 'none' ? false : environment.TRUST_PROXY);
  app.disable('x-powered-by');
  app.set('etag', false);
  const server: Server = app.getHttpServer();
  // Longer than the web server in front keeps its connections, so that it never sends on one we are closing.
  server.keepAliveTimeout = 15_000;
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  answerBrokenRequests(server, (error) => app.get(ErrorFilter).count(error));
  app.get(GracefulStop).watch(server);

  app.use(openVisit);
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      // TLS, and the promise to keep it, belong to the web server in front.
      strictTransportSecurity: false,
    }),
  );
  app.use(app.get(DenyList).middleware);
  app.use(app.get(RequestLog).middleware);
  app.use(app.get(GracefulStop).middleware);
  app.use(refuseWithoutHost);
  app.use(app.get(RetiredEntryPoints).middleware);
  mountSandbox?.(app);
  app.use(app.get(FrontEnd).middleware);
  app.enableCors({
    origin: [new URL(environment.FRONTEND_URL).origin],
    exposedHeaders: ['X-Request-Id', 'Retry-After', 'Idempotency-Hit'],
    maxAge: 600,
  });

  // The fallback's own path, escaped: it alone stands outside the prefix, to answer for every path.
  app.setGlobalPrefix('api', { exclude: ['/\\{\\*path\\}'] });
  app.useGlobalGuards(
    app.get(RateLimitGuard),
    app.get(JwtGuard),
    app.get(CallerGuard),
    app.get(BodyGuard),
  );
  app.useGlobalPipes(app.get(StrictValidationPipe));
  app.useGlobalFilters(app.get(ErrorFilter));
  serveOpenApi(app);
}
