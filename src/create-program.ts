import type { Command } from 'commander';
import { registerImport } from './operators/import/import.registration.js';
import { registerCheck } from './operators/cli/check/check.registration.js';
import { emptyProgram } from './operators/cli/empty-program.js';
import { registerEvents } from './operators/cli/events/events.registration.js';
import { registerMigrate } from './operators/cli/migrate.registration.js';
import { registerOperator } from './operators/cli/operator/operator.registration.js';
import { registerPlayer } from './operators/cli/player/player.registration.js';
import { registerServer } from './operators/cli/server/server.registration.js';
import { registerSettings } from './operators/cli/settings/settings.registration.js';
import { registerStatus } from './operators/cli/status/status.registration.js';
import { registerWithdrawal } from './operators/cli/withdrawal/withdrawal.registration.js';

/** Registers every subcommand of `gatehouse`. A registration loads its command, and Nest, when it is called. */
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
