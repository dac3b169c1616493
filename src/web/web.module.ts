import { Module } from '@nestjs/common';
import { FrontEnd } from './front-end.js';

@Module({ providers: [FrontEnd] })
export class WebModule {}
