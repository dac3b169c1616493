import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import type { Environment } from './config/environment.js';
import { configureApp } from './configure-app.js';
import { NativeExpressAdapter } from './http/server/native-express.adapter.js';
import { log } from './log/log.js';
import { NestLog } from './log/nest-log.js';

interface Extras {
  /** Extra modules with routes for tests. */
  alsoServe?: Type[];
  /** Mounts the sandbox at its place in the pipeline. */
  mountSandbox?: (app: NestExpressApplication) => void;
}

/** Creates the whole service, ready to listen. */
export async function createApp(
  environment: Environment,
  { alsoServe, mountSandbox }: Extras = {},
): Promise<NestExpressApplication> {
  log.level = environment.LOG_LEVEL;
  const root = AppModule.forRoot(environment, alsoServe);
  const app = await NestFactory.create<NestExpressApplication>(root, new NativeExpressAdapter(), {
    logger: new NestLog(),
    bodyParser: false,
    abortOnError: false,
  });
  configureApp(app, mountSandbox);
  return app;
}
