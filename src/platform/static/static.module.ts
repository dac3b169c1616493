import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { FRONT_END, type FrontEnd, FrontEndMiddleware } from './front-end.middleware.js';

@Global()
@Module({})
export class StaticModule {
  static forFrontEnd(frontEnd: (environment: Environment) => FrontEnd): DynamicModule {
    return {
      module: StaticModule,
      providers: [
        FrontEndMiddleware,
        { provide: FRONT_END, useFactory: frontEnd, inject: [Environment] },
      ],
      exports: [FrontEndMiddleware],
    };
  }
}
