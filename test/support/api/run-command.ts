import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Command } from 'commander';
import type { Report } from '../../../src/operators/cli/command.js';
import type { Runner } from '../../../src/operators/cli/command-options.js';
import { CommandModule } from '../../../src/operators/cli/command-context.js';
import { emptyProgram } from '../../../src/operators/cli/run-program.js';
import {
  EventsCommand,
  EventsCommandModule,
} from '../../../src/operators/cli/events/events.command.js';
import { registerEvents } from '../../../src/operators/cli/events/events.options.js';
import {
  OperatorCommand,
  OperatorCommandModule,
} from '../../../src/operators/cli/operator/operator.command.js';
import {
  PlayerCommand,
  PlayerCommandModule,
} from '../../../src/operators/cli/player/player.command.js';
import {
  ServerCommand,
  ServerCommandModule,
} from '../../../src/operators/cli/server/server.command.js';
import {
  WithdrawalCommand,
  WithdrawalCommandModule,
} from '../../../src/operators/cli/withdrawal/withdrawal.command.js';
import { registerOperator } from '../../../src/operators/cli/operator/operator.options.js';
import { registerPlayer } from '../../../src/operators/cli/player/player.options.js';
import { registerServer } from '../../../src/operators/cli/server/server.options.js';
import { registerWithdrawal } from '../../../src/operators/cli/withdrawal/withdrawal.options.js';
import { Environment } from '../../../src/platform/config/environment.js';
import type { TestApp } from './app.js';

/** Runs a `gatehouse` command line with an existing command object, and returns what it would print. */
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

export interface TestCommand {
  readonly context: INestApplicationContext;
  run(...args: string[]): Promise<Required<Report>>;
  stop(): Promise<void>;
}

interface Subcommand<T> {
  name: string;
  module: Type;
  command: Type<T>;
  register: (program: Command, run: Runner<T>) => void;
}

/** Starts a subcommand's services with a running service's database and settings. */
async function startCommand<T>(
  { app }: TestApp,
  { name, module, command, register }: Subcommand<T>,
): Promise<TestCommand> {
  const context = await NestFactory.createApplicationContext(
    CommandModule.forRoot(app.get(Environment), module),
    { logger: false, abortOnError: false },
  );
  return {
    context,
    run: (...args) => runCommand(register, context.get(command), [name, ...args]),
    stop: () => context.close(),
  };
}

export function startPlayerCommand(service: TestApp): Promise<TestCommand> {
  return startCommand(service, {
    name: 'player',
    module: PlayerCommandModule,
    command: PlayerCommand,
    register: registerPlayer,
  });
}

export function startEventsCommand(service: TestApp): Promise<TestCommand> {
  return startCommand(service, {
    name: 'events',
    module: EventsCommandModule,
    command: EventsCommand,
    register: registerEvents,
  });
}

export function startServerCommand(service: TestApp): Promise<TestCommand> {
  return startCommand(service, {
    name: 'server',
    module: ServerCommandModule,
    command: ServerCommand,
    register: registerServer,
  });
}

export function startOperatorCommand(service: TestApp): Promise<TestCommand> {
  return startCommand(service, {
    name: 'operator',
    module: OperatorCommandModule,
    command: OperatorCommand,
    register: registerOperator,
  });
}

export function startWithdrawalCommand(service: TestApp): Promise<TestCommand> {
  return startCommand(service, {
    name: 'withdrawal',
    module: WithdrawalCommandModule,
    command: WithdrawalCommand,
    register: registerWithdrawal,
  });
}
