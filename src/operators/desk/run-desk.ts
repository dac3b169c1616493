import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { enforceStopDeadline } from '../../platform/http/server/stop-deadline.js';
import { onStopSignal } from '../../platform/http/server/stop-signal.js';
import type { Environment } from '../../platform/config/environment.js';
import { GracefulShutdown } from '../../platform/http/server/graceful-shutdown.js';
import { log } from '../../platform/log/log.js';
import { isLoopback } from './access/desk-cookie.js';
import { FirstOperator } from './access/first-operator.js';
import { createDesk } from './create-desk.js';
import { SchemaMiddleware } from './schema.middleware.js';

const SCHEMA_POLL_MS = 500;
// Acts in progress are done by then; an export may take longer.
const DRAIN_MS = 3000;

/** Runs the desk until a stop signal, or until the service that started it is gone. */
export async function runDesk(environment: Environment): Promise<void> {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the desk stops after an unexpected error');
    process.exit(1);
  });
  let stop = (): void => process.exit(0);
  onStopSignal(() => stop());
  process.once('disconnect', () => stop());
  // The parent exited before the listener was added.
  if (process.send && !process.connected) stop();
  const app = await createDesk(environment);
  const { DESK_HOST: host, DESK_PORT: port } = environment;
  await app.listen(port, host);
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
