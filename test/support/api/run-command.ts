import type { Command } from 'commander';
import type { Report, Runner } from '../../../src/operators/cli/command.js';
import { emptyProgram } from '../../../src/operators/cli/empty-program.js';

/** Runs a line of `gatehouse` with services that are there already, and gives what it would print. */
export async function runCommand<T>(
  register: (program: Command, run: Runner<T>) => void,
  command: T,
  line: string[],
): Promise<Required<Report>> {
  let report: Report | undefined;
  const program = emptyProgram().configureOutput({ writeErr: () => undefined });
  register(program, (work) => async (...args) => {
    report = await work(command, ...args);
  });
  await program.parseAsync(line, { from: 'user' });
  return { ok: true, ...report! };
}
