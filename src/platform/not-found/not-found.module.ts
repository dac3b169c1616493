import { Module } from '@nestjs/common';
import { NotFoundController } from './not-found.controller.js';

/** Must be the last module with routes, because the first match wins. */
@Module({ controllers: [NotFoundController] })
export class NotFoundModule {}
