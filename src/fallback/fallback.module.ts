import { Module } from '@nestjs/common';
import { FallbackController } from './fallback.controller.js';

/** Must be the last module with routes: the first match wins. */
@Module({ controllers: [FallbackController] })
export class FallbackModule {}
