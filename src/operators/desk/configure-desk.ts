import type { NestExpressApplication } from '@nestjs/platform-express';
import { Environment } from '../../platform/config/environment.js';
import { AppExceptionFilter } from '../../platform/http/errors/exception.filter.js';
import { IpDenyGuard } from '../../platform/http/limits/ip-deny.guard.js';
import { BodyGuard } from '../../platform/http/request/body.guard.js';
import { configureServer } from '../../platform/http/server/configure-server.js';
import { StrictValidationPipe } from '../../platform/http/validation/strict-validation.pipe.js';
import { FrontEndMiddleware } from '../../platform/static/front-end.middleware.js';
import { AccessGuard } from './access/access.guard.js';
import { SameOriginMiddleware } from './access/same-origin.middleware.js';
import { SchemaMiddleware } from './schema.middleware.js';

/** The request pipeline of the desk, in order. */
export function configureDesk(app: NestExpressApplication): void {
  // For every path, unlike in the service: the middleware below may answer any of them before a guard runs.
  configureServer(app, app.get(IpDenyGuard).middleware, app.get(Environment).DESK_TRUST_PROXY);
  app.use(app.get(SameOriginMiddleware).use);
  app.use(app.get(FrontEndMiddleware).use);
  app.use('/api', app.get(SchemaMiddleware).use);

  app.useGlobalGuards(app.get(AccessGuard), app.get(BodyGuard));
  app.useGlobalPipes(app.get(StrictValidationPipe));
  app.useGlobalFilters(app.get(AppExceptionFilter));
}
