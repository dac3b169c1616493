import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Environment } from '../config/environment.js';
import { NativeExpressAdapter } from '../http/server/native-express.adapter.js';
import { log } from '../log/log.js';
import { NestLog } from '../log/nest-log.js';
import { configureDesk } from './configure-desk.js';
import { DeskModule } from './desk.module.js';

/** Creates the whole desk, ready to listen. */
export async function createDesk(environment: Environment): Promise<NestExpressApplication> {
  log.level = environment.LOG_LEVEL;
  const root = DeskModule.forRoot(environment);
  const app = await NestFactory.create<NestExpressApplication>(root, new NativeExpressAdapter(), {
    logger: new NestLog(),
    bodyParser: false,
    abortOnError: false,
  });
  configureDesk(app);
  return app;
}
