import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { Environment } from '../../config/environment.js';
import { log } from '../../log/log.js';
import { type AppError, errorBody } from '../errors/app-error.js';
import { AppExceptionFilter } from '../errors/exception.filter.js';
import { InvalidRequest } from '../errors/http.errors.js';
import { normalizeAddress } from '../request/address.js';
import { requestContext } from '../request/request-context.js';
import { generateRequestId } from '../request/request-id.js';
import { RequestLogMiddleware } from '../request/request-log.middleware.js';
import { GracefulShutdown } from './graceful-shutdown.js';

/** Contains the security headers for errors that are sent without Express. */
export const RAW_ERROR_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Sets the security headers of every response. A page replaces the content security policy with its own. */
const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  // The web server in front of the service handles TLS and HSTS.
  strictTransportSecurity: false,
  // Only obsolete browsers and plug-ins read these headers.
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  xPoweredBy: false,
});

/** Configures the part of the pipeline that the service and the desk share, up to the request log. */
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
  // This timeout is longer than nginx's, so that nginx never uses a connection that the service is closing.
  server.keepAliveTimeout = 15_000;
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  handleMalformedRequests(server, (error) => app.get(AppExceptionFilter).count(error));
  gracefulStop.trackConnections(server);

  // This middleware comes first, because it also reports the end of pipelined requests on a broken connection.
  app.use(gracefulStop.middleware);
  app.use(requestContext);
  app.use(securityHeaders);
  app.use(denyList);
  app.use(app.get(RequestLogMiddleware).use);
  app.use(rejectMissingHost);
}

/**
 * Sends errors in the usual format for requests that Node itself rejects because of long headers, bad syntax or a
 * timeout.
 */
function handleMalformedRequests(server: Server, count: (error: AppError) => void): void {
  // Node would respond without a body. `rejectMissingHost` handles a missing host, and `Expect` may be ignored.
  Object.assign(server, { requireHostHeader: false });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));

  // Node's types omit the pending response of a socket.
  type BusySocket = Socket & { _httpMessage?: ServerResponse | null };
  server.on('clientError', (broken: NodeJS.ErrnoException, socket: BusySocket) => {
    const { writable, _httpMessage: pendingResponse } = socket;
    if (!writable || pendingResponse) {
      socket.destroy();
      return;
    }
    const requestId = generateRequestId();
    const error = new InvalidRequest(undefined, 'The request could not be read.');
    count(error);
    const address = normalizeAddress(socket.remoteAddress ?? '');
    log.info(
      { request_id: requestId, status: 400, address, error: error.error, reason: broken.code },
      'broken request',
    );
    const body = JSON.stringify(errorBody(error, requestId));
    socket.end(
      [
        'HTTP/1.1 400 Bad Request',
        ...Object.entries(RAW_ERROR_HEADERS).map(([name, value]) => `${name}: ${value}`),
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  });
}

function rejectMissingHost(request: Request, _response: Response, next: NextFunction): void {
  const isMissing = request.headers.host === undefined && request.httpVersion === '1.1';
  next(isMissing ? new InvalidRequest(undefined, 'The request has no Host header.') : undefined);
}
