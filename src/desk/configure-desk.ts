import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Environment } from '../config/environment.js';
import { AppExceptionFilter } from '../http/errors/exception.filter.js';
import { DenyListMiddleware } from '../http/limits/deny-list.middleware.js';
import { BodyGuard } from '../http/request/body.guard.js';
import { requestContext } from '../http/request/request-context.middleware.js';
import { RequestLogMiddleware } from '../http/request/request-log.middleware.js';
import { answerBrokenRequests, refuseWithoutHost } from '../http/server/broken-requests.js';
import { GracefulStop } from '../http/server/graceful-stop.js';
import { hardeningHeaders } from '../http/server/hardening-headers.js';
import { StrictValidationPipe } from '../http/validation/strict-validation.pipe.js';
import { FrontEndMiddleware } from '../web/front-end.middleware.js';
import { AccessGuard } from './access/access.guard.js';
import { SameOriginMiddleware } from './access/same-origin.middleware.js';
import { SchemaMiddleware } from './schema.middleware.js';

/** The request pipeline of the desk, in order. */
export function configureDesk(app: NestExpressApplication): void {
  const { TRUST_PROXY } = app.get(Environment);
  app.set('trust proxy', TRUST_PROXY === 'none' ? false : TRUST_PROXY);
  app.disable('x-powered-by');
  app.set('etag', false);
  const server: Server = app.getHttpServer();
  server.keepAliveTimeout = 15_000;
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  answerBrokenRequests(server, (error) => app.get(AppExceptionFilter).count(error));
  app.get(GracefulStop).watch(server);

  app.use(app.get(GracefulStop).middleware);
  app.use(requestContext);
  app.use(hardeningHeaders);
  app.use(app.get(DenyListMiddleware).use);
  app.use(app.get(RequestLogMiddleware).use);
  app.use(refuseWithoutHost);
  app.use(app.get(SameOriginMiddleware).use);
  app.use(app.get(FrontEndMiddleware).use);
  app.use('/api', app.get(SchemaMiddleware).use);

  // As in `configure-app.ts`: the fallback's catch-all path stands outside the prefix.
  app.setGlobalPrefix('api', { exclude: ['/\\{\\*path\\}'] });
  app.useGlobalGuards(app.get(AccessGuard), app.get(BodyGuard));
  app.useGlobalPipes(app.get(StrictValidationPipe));
  app.useGlobalFilters(app.get(AppExceptionFilter));
}
