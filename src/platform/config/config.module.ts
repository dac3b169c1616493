import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Environment } from './environment.js';
import { Settings } from './settings.js';

@Global()
@Module({})
export class ConfigModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Environment, useValue: environment }, Settings],
      exports: [Environment, Settings],
    };
  }
}
