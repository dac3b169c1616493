import cluster from 'node:cluster';
import { firstServing, tellServing } from './cluster/serving-workers.js';
import { settingsOfPrimary } from './cluster/settings-of-primary.js';
import { superviseDesk } from './cluster/supervise-desk.js';
import { superviseWorkers } from './cluster/supervise-workers.js';
import { loadConfiguration } from './config/load-configuration.js';
import { ConfigurationError } from './config/problems.js';
import { SchemaProblem } from './database/schema/schema-problem.js';
import { serve } from './serve.js';

/** Resolves when the service listens. Prints every problem and exits with 1 when it cannot start. */
export async function start(): Promise<void> {
  try {
    const inherited = cluster.isWorker ? await settingsOfPrimary() : undefined;
    const environment = loadConfiguration(inherited);
    if (environment.WORKERS > 1 && cluster.isPrimary) {
      superviseWorkers(environment);
      void firstServing().then((servers) => superviseDesk(environment, servers));
    } else {
      const inForce = await serve(environment);
      const { SMTP_URL, GAME_DATABASE_URL } = inForce;
      if (cluster.isWorker) tellServing(inForce);
      // Not awaited: the service does not end with the desk.
      else void superviseDesk(environment, { SMTP_URL, GAME_DATABASE_URL });
    }
  } catch (error) {
    console.error('Gatehouse cannot start:');
    for (const problem of problemsIn(error)) console.error(`  - ${problem}`);
    process.exit(1);
  }
}

function problemsIn(error: unknown): string[] {
  if (error instanceof ConfigurationError) return error.problems;
  if (error instanceof SchemaProblem) return [error.message];
  const { syscall, message } = error as NodeJS.ErrnoException;
  // A port that is taken or forbidden: the message says it all, a stack would not help.
  if (syscall === 'listen' || syscall === 'bind') return [message];
  throw error;
}
