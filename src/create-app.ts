import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import type { Environment } from './platform/config/environment.js';
import { configureApp } from './configure-app.js';
import { NativeExpressAdapter } from './platform/http/server/native-express.adapter.js';
import { log } from './platform/log/log.js';
import { NestLogger } from './platform/log/nest-logger.js';

interface AppOptions {
  /** Extra modules with routes for tests. */
  extraModules?: Type[];
  /** Mounts the sandbox at its place in the pipeline. */
  mountSandbox?: (app: NestExpressApplication) => void;
}

/** Creates the whole service, ready to listen. */
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
