import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import type { Environment } from '../../platform/config/environment.js';
import { printReport, type Runner, wantsJson } from './command.js';

interface CommandParts<T> {
  module: { forRoot(environment: Environment): DynamicModule };
  handler: Type<T>;
  prepare?: (app: INestApplicationContext) => Promise<void>;
}

/** Runs a command in its own Nest context. Both are loaded only then: `--help` needs neither. */
export function inCommandContext<T>(load: () => Promise<CommandParts<T>>): Runner<T> {
  return (work) =>
    async (...args) => {
      const { withCommandContext } = await import('./command-context.js');
      const { module, handler, prepare } = await load();
      await withCommandContext(
        (environment) => module.forRoot(environment),
        async (app) => {
          await prepare?.(app);
          printReport(await work(app.get(handler), ...args), wantsJson(args));
        },
      );
    };
}
