import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Environment } from '../../platform/config/environment.js';
import { AppExceptionFilter } from '../../platform/http/errors/exception.filter.js';
import { IpDenyGuard } from '../../platform/http/limits/ip-deny.guard.js';
import { BodyGuard } from '../../platform/http/request/body.guard.js';
import { configureServer } from '../../platform/http/server/configure-server.js';
import {
  enforceStopDeadline,
  GracefulShutdown,
  onStopSignal,
} from '../../platform/http/server/graceful-shutdown.js';
import { NativeExpressAdapter } from '../../platform/http/server/native-express.adapter.js';
import { StrictValidationPipe } from '../../platform/http/validation/strict-validation.pipe.js';
import { log, NestLogger } from '../../platform/log/log.js';
import { FrontEndMiddleware } from '../../platform/static/front-end.middleware.js';
import { AccessGuard } from './access/access.guard.js';
import { isLoopback } from './access/desk-cookie.js';
import { FirstOperator } from './access/first-operator.js';
import { SameOriginMiddleware } from './access/same-origin.middleware.js';
import { DeskModule, SchemaMiddleware } from './desk.module.js';
import { PORT_TAKEN } from './supervise-desk.js';

const SCHEMA_POLL_MS = 500;
// Pending actions end within this time, but an export may take longer.
const DRAIN_MS = 3000;

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

function configureDesk(app: NestExpressApplication): void {
  // The deny list covers every path, because the middleware below may respond before a guard runs.
  configureServer(app, app.get(IpDenyGuard).middleware, app.get(Environment).DESK_TRUST_PROXY);
  app.use(app.get(SameOriginMiddleware).use);
  app.use(app.get(FrontEndMiddleware).use);
  app.use('/api', app.get(SchemaMiddleware).use);

  app.useGlobalGuards(app.get(AccessGuard), app.get(BodyGuard));
  app.useGlobalPipes(app.get(StrictValidationPipe));
  app.useGlobalFilters(app.get(AppExceptionFilter));
}

/** Runs the desk until a stop signal arrives or the service that started the desk exits. */
export async function runDesk(environment: Environment): Promise<void> {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the desk stops after an unexpected error');
    process.exit(1);
  });
  let stop = (): void => process.exit(0);
  onStopSignal(() => stop());
  process.once('disconnect', () => stop());
  // The parent process may have exited before the listener was added.
  if (process.send && !process.connected) stop();
  const app = await createDesk(environment);
  const { DESK_HOST: host, DESK_PORT: port } = environment;
  await app.listen(port, host).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    // If two instances start together, both find the port free. The slower desk exits, and its supervisor waits for the
    // port.
    log.warn(`the desk does not start: ${host}:${port} is taken by another program`);
    process.exit(PORT_TAKEN);
  });
  const logger = new Logger('Desk');
  logger.log(`the desk listens on ${host}:${port}`);
  if (!isLoopback(host))
    logger.warn(`other machines can reach the desk at ${host}: put TLS in front of it`);

  stop = () => {
    stop = () => undefined;
    void shutDown(app);
  };
  if (environment.embedded)
    await printWelcome(app, `http://${host.includes(':') ? `[${host}]` : host}:${port}`);
}

async function shutDown(app: NestExpressApplication): Promise<never> {
  const server: Server = app.getHttpServer();
  enforceStopDeadline(() => 'closing connections');
  await Promise.race([app.get(GracefulShutdown).drain(server), pause(DRAIN_MS)]);
  server.closeAllConnections();
  await app.close();
  process.exit(0);
}

async function printWelcome(app: NestExpressApplication, url: string): Promise<void> {
  while (!(await app.get(SchemaMiddleware).isReady())) await pause(SCHEMA_POLL_MS);
  const first = await app.get(FirstOperator).ensureSignIn();
  const signIn = first ? `   sign in as ${first.name} with ${first.password}` : '';
  console.log(`\n  The operators' desk:        ${url}${signIn}\n`);
}
