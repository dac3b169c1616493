import { ConfigurationError } from '../../platform/config/configuration-error.js';
import { type Command, ConfirmationRequired, UsageError } from './command.js';

/** Exits with 0, with 1 where it could not be done or something is wrong, with 2 where it was not understood. */
export async function runCommand(command: Command, args: string[]): Promise<void> {
  if (args.includes('--help') || args[0] === 'help') {
    console.log(command.usage);
    return;
  }
  try {
    process.exitCode = await command.run(args);
  } catch (error) {
    const problems =
      error instanceof ConfigurationError ? error.problems : [(error as Error).message];
    // The reason last, where a terminal shows it.
    if (error instanceof UsageError && !(error instanceof ConfirmationRequired))
      console.error(`${command.usage}\n`);
    for (const problem of problems) console.error(problem);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
