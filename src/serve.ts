import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { createApp } from './create-app.js';
import { superviseDesk } from './operators/desk/supervise-desk.js';
import { buildInfo, describeBuild } from './platform/config/build-info.js';
import { ConfigurationError } from './platform/config/configuration-error.js';
import type { Environment } from './platform/config/environment.js';
import { loadConfiguration } from './platform/config/load-configuration.js';
import { SchemaProblem } from './platform/database/schema-state.js';
import {
  enforceStopDeadline,
  GracefulShutdown,
  onStopSignal,
} from './platform/http/server/graceful-shutdown.js';
import { log } from './platform/log/log.js';

/** Starts the service and the desk. If the service cannot start, it prints every problem and exits with 1. */
export async function start(): Promise<void> {
  try {
    const environment = loadConfiguration();
    const { SMTP_URL, GAME_DATABASE_URL } = await serve(environment);
    // The service does not wait for the desk, because it can run without the desk.
    void superviseDesk(environment, { SMTP_URL, GAME_DATABASE_URL });
  } catch (error) {
    console.error('Gatehouse cannot start:');
    for (const problem of startupProblems(error)) console.error(`  - ${problem}`);
    process.exit(1);
  }
}

function startupProblems(error: unknown): string[] {
  if (error instanceof ConfigurationError) return error.problems;
  if (error instanceof SchemaProblem) return [error.message];
  const { syscall, message } = error as NodeJS.ErrnoException;
  // If the port is in use or forbidden, a stack trace would not help.
  if (syscall === 'listen' || syscall === 'bind') return [message];
  throw error;
}

/** Runs the service until a stop signal. Returns its environment, with the sandbox's URLs in embedded mode. */
async function serve(environment: Environment): Promise<Environment> {
  process.on('uncaughtException', (error) => {
    // If the database became reachable only after startup, the service may still reject its schema.
    if (error instanceof SchemaProblem) log.fatal(error.message);
    else log.fatal({ err: error }, 'the process stops after an unexpected error');
    process.exit(1);
  });
  onStopSignal(() => process.exit(0));
  // The sandbox is never loaded with a real DATABASE_URL. It needs a fixed port, because it must know its own address.
  const sandbox =
    environment.embedded && environment.PORT !== 0
      ? await (await import('./sandbox/sandbox.js')).startSandbox(environment)
      : undefined;
  const effectiveEnvironment = sandbox?.environment ?? environment;
  const app = await createApp(effectiveEnvironment, { mountSandbox: sandbox?.mount });
  await app.init();
  await sandbox?.createServers(app);
  await app.listen(environment.PORT, environment.HOST);
  const logger = new Logger('Gatehouse');
  if (sandbox) console.log(sandbox.greeting);
  const { port } = app.getHttpServer().address() as AddressInfo;
  logger.log(`Gatehouse ${describeBuild(buildInfo)} listening on ${environment.HOST}:${port}`);

  const stop = async (signal: string) => {
    let step = 'finishing the requests in flight';
    logger.log(`${signal}: ${step}`);
    enforceStopDeadline(() => step);
    await app.get(GracefulShutdown).drain(app.getHttpServer());
    step = 'writing the remaining records and closing connections';
    await app.close();
    sandbox?.close();
    process.exit(0);
  };
  onStopSignal((signal) => void stop(signal));
  return effectiveEnvironment;
}
