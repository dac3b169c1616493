import type { INestApplicationContext, Type } from '@nestjs/common';
import { printReport, type Runner, wantsJson } from './command.js';

interface CommandParts<T> {
  module: Type;
  handler: Type<T>;
  prepare?: (app: INestApplicationContext) => Promise<void>;
}

/** Runs a command in its own Nest context. Both are loaded only then: `--help` needs neither. */
export function inCommandContext<T>(load: () => Promise<CommandParts<T>>): Runner<T> {
  return (work) =>
    async (...args) => {
      const { withCommandContext } = await import('./command-context.js');
      const { module, handler, prepare } = await load();
      await withCommandContext(module, async (app) => {
        await prepare?.(app);
        printReport(await work(app.get(handler), ...args), wantsJson(args));
      });
    };
}
