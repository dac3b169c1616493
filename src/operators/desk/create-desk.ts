import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Environment } from '../../platform/config/environment.js';
import { NativeExpressAdapter } from '../../platform/http/server/native-express.adapter.js';
import { log } from '../../platform/log/log.js';
import { NestLogger } from '../../platform/log/nest-logger.js';
import { configureDesk } from './configure-desk.js';
import { DeskModule } from './desk.module.js';

/** Creates the whole desk, ready to listen. */
export async function createDesk(environment: Environment): Promise<NestExpressApplication> {
  log.level = environment.LOG_LEVEL;
  const root = DeskModule.forRoot(environment);
  const app = await NestFactory.create<NestExpressApplication>(root, new NativeExpressAdapter(), {
    logger: new NestLogger(),
    bodyParser: false,
    abortOnError: false,
  });
  configureDesk(app);
  return app;
}
