import { setFlagsFromString } from 'node:v8';
import { loadConfiguration } from './platform/config/load-configuration.js';
import { ConfigurationError } from './platform/config/configuration-error.js';

try {
  // Invalid settings are rejected, because with the defaults the desk would not require a second operator.
  const environment = loadConfiguration();
  if (environment.DESK_PORT === 0)
    throw new ConfigurationError('environment', ['DESK_PORT is not set: there is no desk']);
  // Objects allocated during startup would enlarge the heap permanently, as `main.ts` explains.
  setFlagsFromString('--semi-space-growth-factor=1');
  await (await import('./operators/desk/run-desk.js')).runDesk(environment);
  setFlagsFromString('--semi-space-growth-factor=2');
} catch (error) {
  const { syscall, message } = error as NodeJS.ErrnoException;
  const isListen = syscall === 'listen' || syscall === 'bind';
  if (!isListen && !(error instanceof ConfigurationError)) throw error;
  const problems = error instanceof ConfigurationError ? error.problems : [message];
  console.error('The desk cannot start:');
  for (const problem of problems) console.error(`  - ${problem}`);
  process.exit(1);
}
