import { Module } from '@nestjs/common';
import { RetiredEntryPointsMiddleware } from './retired-entry-points.middleware.js';

@Module({ providers: [RetiredEntryPointsMiddleware] })
export class LegacyModule {}
