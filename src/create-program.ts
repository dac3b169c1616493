import type { Command } from 'commander';
import { registerImport } from './operators/import/import.options.js';
import { registerCheck } from './operators/cli/check/check.options.js';
import { emptyProgram } from './operators/cli/run-program.js';
import { registerEvents } from './operators/cli/events/events.options.js';
import { registerMigrate } from './operators/cli/migrate/migrate.options.js';
import { registerOperator } from './operators/cli/operator/operator.options.js';
import { registerPlayer } from './operators/cli/player/player.options.js';
import { registerServer } from './operators/cli/server/server.options.js';
import { registerSettings } from './operators/cli/settings/settings.options.js';
import { registerStatus } from './operators/cli/status/status.options.js';
import { registerWithdrawal } from './operators/cli/withdrawal/withdrawal.options.js';

/** Registers every subcommand of `gatehouse`. It loads a command's code, and Nest, only when the command runs. */
export function createProgram(): Command {
  const program = emptyProgram();
  registerPlayer(program);
  registerWithdrawal(program);
  registerServer(program);
  registerOperator(program);
  registerEvents(program);
  registerCheck(program);
  registerStatus(program);
  registerSettings(program);
  registerImport(program);
  registerMigrate(program);
  return program;
}
