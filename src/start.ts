import cluster from 'node:cluster';
import { superviseWorkers } from './cluster/supervise-workers.js';
import { loadConfiguration } from './config/load-configuration.js';
import { ConfigurationError } from './config/problems.js';
import { serve } from './serve.js';

/** Comes back when the service listens; where it cannot, says why and ends the process. */
export async function start(): Promise<void> {
  try {
    const environment = loadConfiguration();
    if (environment.WORKERS > 1 && cluster.isPrimary) superviseWorkers(environment);
    else await serve(environment);
  } catch (error) {
    console.error('Gatehouse cannot start:');
    for (const problem of problemsIn(error)) console.error(`  - ${problem}`);
    process.exit(1);
  }
}

function problemsIn(error: unknown): string[] {
  if (error instanceof ConfigurationError) return error.problems;
  const { syscall, message } = error as NodeJS.ErrnoException;
  // A port that is taken, or that we may not have: whose fault it is stands in the message, not in our stack.
  if (syscall === 'listen' || syscall === 'bind') return [message];
  throw error;
}
