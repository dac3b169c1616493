import { createInterface } from 'node:readline/promises';
import { type Arguments } from './arguments.js';
import { CommandRefused, NobodyToAsk } from './command.js';

/** As `askBefore`, but a script needs no `--yes`: one that gives `--by` and `--note` knows what it does. */
export async function askAtTerminal(what: string, { yes }: Pick<Arguments, 'yes'>): Promise<void> {
  await askBefore(what, { yes: yes || !process.stdin.isTTY });
}

/** Says what will be done and asks, unless `--yes` was given. Without a terminal there is nobody to ask. */
export async function askBefore(what: string, { yes }: Pick<Arguments, 'yes'>): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw new NobodyToAsk(`${what}\nNobody can be asked here: add --yes.`);
  // Not on stdout, where --json goes.
  console.error(what);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question('Go on? [y/N] ');
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandRefused('nothing was done');
  } finally {
    terminal.close();
  }
}
