import type { Command } from './command.js';
import { runCommand } from './run-command.js';

const FAREWELL_MS = 500;

/** Runs the command and ends the process, whatever connection a server that hangs keeps open. */
export async function runProgram(command: Command, args: string[]): Promise<void> {
  await runCommand(command, args);
  setInterval(endIfPrinted, FAREWELL_MS).unref();
}

function endIfPrinted(): void {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
}
