import { superviseDesk } from './operators/desk/supervise-desk.js';
import { loadConfiguration } from './platform/config/load-configuration.js';
import { ConfigurationError } from './platform/config/configuration-error.js';
import { SchemaProblem } from './platform/database/schema/schema-problem.js';
import { serve } from './serve.js';

/** Resolves when the service listens. Prints every problem and exits with 1 when it cannot start. */
export async function start(): Promise<void> {
  try {
    const environment = loadConfiguration();
    const { SMTP_URL, GAME_DATABASE_URL } = await serve(environment);
    // Not awaited: the service does not end with the desk.
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
  // The port is taken or forbidden: the message is enough, a stack would not help.
  if (syscall === 'listen' || syscall === 'bind') return [message];
  throw error;
}
