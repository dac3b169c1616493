import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import { Environment } from '../../config/environment.js';
import { AppExceptionFilter } from '../errors/exception.filter.js';
import { requestContext } from '../request/request-context.middleware.js';
import { RequestLogMiddleware } from '../request/request-log.middleware.js';
import { handleMalformedRequests, rejectMissingHost } from './malformed-requests.js';
import { GracefulShutdown } from './graceful-shutdown.js';
import { securityHeaders } from './security-headers.js';

/** The part of the pipeline that the service and the desk share, up to the request log. */
export function configureServer(
  app: NestExpressApplication,
  denyList: RequestHandler,
  trustedProxies = app.get(Environment).TRUST_PROXY,
): void {
  app.set('trust proxy', trustedProxies === 'none' ? false : trustedProxies);
  app.disable('x-powered-by');
  app.set('etag', false);
  // `exclude` needs the catch-all path of `NotFoundController` in escaped form.
  app.setGlobalPrefix('api', { exclude: ['/\\{\\*path\\}'] });

  const server: Server = app.getHttpServer();
  const gracefulStop = app.get(GracefulShutdown);
  // Longer than nginx keeps its upstream connections, so that nginx never uses one that we are closing.
  server.keepAliveTimeout = 15_000;
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  handleMalformedRequests(server, (error) => app.get(AppExceptionFilter).count(error));
  gracefulStop.trackConnections(server);

  // First, because it also reports the end of pipelined requests whose connection broke.
  app.use(gracefulStop.middleware);
  app.use(requestContext);
  app.use(securityHeaders);
  app.use(denyList);
  app.use(app.get(RequestLogMiddleware).use);
  app.use(rejectMissingHost);
}
