import { Global, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { Settings } from '../config/settings.js';
import { Counters } from '../counters/counters.js';
import { BodyGuard } from './body.guard.js';
import { DenyList } from './deny-list.js';
import { EnvelopeInterceptor } from './envelope.interceptor.js';
import { ErrorFilter } from './exception.filter.js';
import { GracefulStop } from './graceful-stop.js';
import { RateLimitGuard, rateLimitOptions } from './rate-limit.js';
import { RequestLog } from './request-log.js';
import { StrictValidationPipe } from './validation.pipe.js';

const PARTS = [
  BodyGuard,
  DenyList,
  EnvelopeInterceptor,
  ErrorFilter,
  GracefulStop,
  RateLimitGuard,
  RequestLog,
  StrictValidationPipe,
];

/** The parts that every request meets; `configure-app.ts` puts them in their order. */
@Global()
@Module({
  imports: [
    ThrottlerModule.forRootAsync({ inject: [Settings, Counters], useFactory: rateLimitOptions }),
  ],
  providers: PARTS,
  exports: PARTS,
})
export class HttpModule {}
