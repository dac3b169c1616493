import { Module } from '@nestjs/common';
import { FrontEndMiddleware } from './front-end.middleware.js';

@Module({ providers: [FrontEndMiddleware], exports: [FrontEndMiddleware] })
export class WebModule {}
