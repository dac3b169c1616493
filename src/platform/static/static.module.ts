import { join } from 'node:path';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { PROJECT_ROOT } from '../config/build-info.js';
import { Environment } from '../config/environment.js';
import {
  FRONT_END,
  type FrontEnd,
  FrontEndMiddleware,
  injectAddresses,
} from './front-end.middleware.js';

const PAGES = ['/', '/signin', '/agree', '/withdraw', '/account', '/account/sign-ins'];

export function webFrontEnd({ FRONTEND_URL, sandboxUrl }: Environment): FrontEnd {
  const address = FRONTEND_URL.replace(/\/+$/, '');
  return {
    folder: join(PROJECT_ROOT, 'web/dist'),
    isPage: (path) => PAGES.includes(path),
    transformPage: (page) => injectAddresses(page, address, sandboxUrl),
  };
}

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
