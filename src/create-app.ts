import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import type { Environment } from './config/environment.js';
import { configureApp } from './configure-app.js';
import { log } from './log/log.js';
import { NestLog } from './log/nest-log.js';

/** The whole service, ready to listen. `alsoServe` is for tests that need a route of their own to knock at. */
export async function createApp(
  environment: Environment,
  alsoServe: Type[] = [],
): Promise<NestExpressApplication> {
  log.level = environment.LOG_LEVEL;
  const root = AppModule.with(environment, alsoServe);
  const app = await NestFactory.create<NestExpressApplication>(root, {
    logger: new NestLog(),
    bodyParser: false,
    abortOnError: false,
  });
  configureApp(app);
  return app;
}
