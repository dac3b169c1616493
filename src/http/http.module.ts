import { Global, Module } from '@nestjs/common';
import { BodyGuard } from './body.guard.js';
import { DenyList } from './deny-list.js';
import { ErrorFilter } from './exception.filter.js';
import { GracefulStop } from './graceful-stop.js';
import { RateLimitGuard } from './rate-limit.js';
import { RequestLog } from './request-log.js';
import { StrictValidationPipe } from './validation.pipe.js';

const PARTS = [
  BodyGuard,
  DenyList,
  ErrorFilter,
  GracefulStop,
  RateLimitGuard,
  RequestLog,
  StrictValidationPipe,
];

/** The parts that every request meets; `configure-app.ts` puts them in their order. */
@Global()
@Module({
  providers: PARTS,
  exports: PARTS,
})
export class HttpModule {}
