import { Global, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { BodyGuard } from './request/body.guard.js';
import { IpDenyGuard } from './limits/ip-deny.guard.js';
import { AppExceptionFilter } from './errors/exception.filter.js';
import { LoadShedding } from './limits/load-shedding.js';
import { GracefulShutdown } from './server/graceful-shutdown.js';
import { RateLimitGuard, RateLimitOptions } from './limits/rate-limit.guard.js';
import { ThrottledRequests, RequestLogMiddleware } from './request/request-log.middleware.js';
import { StrictValidationPipe } from './validation/strict-validation.pipe.js';

const PARTS = [
  BodyGuard,
  IpDenyGuard,
  AppExceptionFilter,
  GracefulShutdown,
  LoadShedding,
  RateLimitGuard,
  ThrottledRequests,
  RequestLogMiddleware,
  StrictValidationPipe,
];

/** Provides the parts of the request pipeline. `configure-app.ts` puts them in order. */
@Global()
@Module({
  imports: [ThrottlerModule.forRootAsync({ useClass: RateLimitOptions })],
  providers: PARTS,
  exports: PARTS,
})
export class HttpModule {}
