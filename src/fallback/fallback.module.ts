import { Module } from '@nestjs/common';
import { WebModule } from '../web/web.module.js';
import { FallbackController } from './fallback.controller.js';

/** Must be the last module with routes: the first match wins. */
@Module({ imports: [WebModule], controllers: [FallbackController] })
export class FallbackModule {}
