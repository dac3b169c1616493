import { Module } from '@nestjs/common';
import { FrontEndMiddleware } from './front-end.middleware.js';

@Module({ providers: [FrontEndMiddleware] })
export class WebModule {}
