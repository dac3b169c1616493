import type { Command } from './command.js';
import { runCommand } from './run-command.js';

const FLUSH_CHECK_MS = 500;

/** Runs the command and ends the process, whatever connection a server that hangs keeps open. */
export async function runProgram(command: Command, args: string[]): Promise<void> {
  await runCommand(command, args);
  setInterval(exitWhenFlushed, FLUSH_CHECK_MS).unref();
}

function exitWhenFlushed(): void {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
}
