import cluster from 'node:cluster';
import { superviseWorkers } from './cluster/supervise-workers.js';
import { loadConfiguration } from './config/load-configuration.js';
import { ConfigurationError } from './config/problems.js';
import { serve } from './serve.js';

try {
  const environment = loadConfiguration();
  if (environment.WORKERS > 1 && cluster.isPrimary) superviseWorkers(environment);
  else await serve(environment);
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error('Gatehouse cannot start:');
  for (const problem of error.problems) console.error(`  - ${problem}`);
  process.exitCode = 1;
}
