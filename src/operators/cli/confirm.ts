import { createInterface } from 'node:readline/promises';
import { CommandFailed, UsageError } from './command.js';
import { printable } from './printable.js';

/** As `confirm`, but a script needs no `--yes`: with `--by` and `--note` it acts on purpose. */
export async function confirmIfInteractive(
  message: string,
  { yes }: { yes?: boolean },
): Promise<void> {
  await confirm(message, { yes: yes || !process.stdin.isTTY });
}

/** Says what will be done and asks, unless `--yes` was given. Without a terminal, nobody can be asked. */
export async function confirm(message: string, { yes }: { yes?: boolean }): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY)
    throw new UsageError(`${message}\nThere is no terminal to ask on: add --yes.`);
  // Not on stdout, which is for --json.
  console.error(printable(message));
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question('Go on? [y/N] ');
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailed('nothing was done');
  } finally {
    terminal.close();
  }
}
