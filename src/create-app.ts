import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { configureApp } from './configure-app.js';
import type { Environment } from './platform/config/environment.js';
import { NativeExpressAdapter } from './platform/http/server/native-express.adapter.js';
import { log, NestLogger } from './platform/log/log.js';

interface AppOptions {
  extraModules?: Type[];
  mountSandbox?: (app: NestExpressApplication) => void;
}

export async function createApp(
  environment: Environment,
  { extraModules, mountSandbox }: AppOptions = {},
): Promise<NestExpressApplication> {
  log.level = environment.LOG_LEVEL;
  const root = AppModule.forRoot(environment, extraModules);
  const app = await NestFactory.create<NestExpressApplication>(root, new NativeExpressAdapter(), {
    logger: new NestLogger(),
    bodyParser: false,
    abortOnError: false,
  });
  configureApp(app, mountSandbox);
  return app;
}
