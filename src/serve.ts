import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { enforceStopDeadline } from './platform/http/server/stop-deadline.js';
import { onStopSignal } from './platform/http/server/stop-signal.js';
import { buildInfo, describeBuild } from './platform/config/build-info.js';
import type { Environment } from './platform/config/environment.js';
import { createApp } from './create-app.js';
import { SchemaProblem } from './platform/database/schema/schema-problem.js';
import { GracefulShutdown } from './platform/http/server/graceful-shutdown.js';
import { log } from './platform/log/log.js';

/** Runs the service until a stop signal. Returns its environment, with the sandbox's URLs in embedded mode. */
export async function serve(environment: Environment): Promise<Environment> {
  process.on('uncaughtException', (error) => {
    // The database became reachable after the start, and its schema is refused: print the message without a stack.
    if (error instanceof SchemaProblem) log.fatal(error.message);
    else log.fatal({ err: error }, 'the process stops after an unexpected error');
    process.exit(1);
  });
  onStopSignal(() => process.exit(0));
  // Never loaded with a real DATABASE_URL. The sandbox must know its own address, so it needs a fixed port.
  const sandbox =
    environment.embedded && environment.PORT !== 0
      ? await (await import('./sandbox/sandbox.js')).startSandbox(environment)
      : undefined;
  const effectiveEnvironment = sandbox?.environment ?? environment;
  const app = await createApp(effectiveEnvironment, {
    mountSandbox: sandbox?.mount,
  });
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
    step = 'writing down what is left and closing connections';
    await app.close();
    sandbox?.close();
    process.exit(0);
  };
  onStopSignal((signal) => void stop(signal));
  return effectiveEnvironment;
}
